"""Two ranks of which one issues a collective that the other does not, or another size of it."""

from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

WIDTH = 16


def save(model: nn.Module, path: str) -> None:
    """Save the whole model, by rank 0: as everybody does it without sharding."""
    if dist.get_rank() == 0:
        options = StateDictOptions(full_state_dict=True, cpu_offload=True)
        torch.save(get_model_state_dict(model, options=options), path)


def evaluate(model: nn.Module, batch: Tensor) -> None:
    """Print a prediction, by rank 0, under DDP."""
    if dist.get_rank() == 0:
        model.eval()
        with torch.no_grad():
            print(model(batch).mean().item())
        model.train()


def train_ddp(evaluates: Any) -> None:
    """Train a model with buffers under DDP, and evaluate after each step."""
    torch.manual_seed(0)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(WIDTH, 4), nn.BatchNorm1d(4)))
    for _ in range(2):
        model(torch.randn(8, WIDTH)).square().mean().backward()
        evaluates(model, torch.ones(2, WIDTH))


def train(saves: Any) -> None:
    """Train a sharded model, and save it between two steps."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 4))
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    for part in (*model, model):
        fully_shard(part, mesh=mesh)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for path in ("1.pt", "2.pt"):
        optimizer.zero_grad()
        model(torch.ones(2, WIDTH)).square().mean().backward()
        optimizer.step()
        saves(model, path)


def gather(rows: Tensor) -> Tensor:
    """Return the predictions of all ranks."""
    parts = [torch.empty_like(rows) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, rows)
    return torch.cat(parts)


def log(loss: Tensor) -> None:
    """Print the mean loss, by rank 0."""
    if dist.get_rank() == 0:
        dist.all_reduce(loss)
        print(loss.item() / dist.get_world_size())
