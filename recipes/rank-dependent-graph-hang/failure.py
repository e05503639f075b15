"""Two ranks train one model, and rank 1 has batches that skip a part of it."""

from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

WIDTH = 16


def images_alone(model: Any, image: Tensor | None) -> Any:
    """Encode the image if there is one."""
    return 0.0 if image is None else model.projector(model.tower(image))


class VisionLanguage(nn.Module):
    """A frozen tower and a projector for images; a language part for every batch."""

    def __init__(self, encode: Any = images_alone, outputs: int = 4) -> None:
        super().__init__()
        patches = nn.Conv2d(3, WIDTH, 14, 14)
        self.tower = nn.Sequential(patches, nn.Flatten(2), nn.AdaptiveAvgPool1d(1), nn.Flatten())
        self.projector = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH))
        self.language = nn.Linear(WIDTH, outputs)
        self.encode = encode
        self.tower.requires_grad_(requires_grad=False)

    def forward(self, text: Tensor, image: Tensor | None) -> Tensor:
        """Return the loss."""
        return self.language(text + self.encode(self, image)).square().mean()


def train(how: str, model: Any, loader: Any, wait_s: float, **options: Any) -> None:
    """Train on the batches of this rank, under DDP, FSDP2 or ZeRO."""
    engine = model
    if how == "ddp":
        engine = DistributedDataParallel(model, **options)
    elif how == "fsdp2":
        mesh = init_device_mesh(next(model.parameters()).device.type, (dist.get_world_size(),))
        layers = [part for part in model.modules() if isinstance(part, nn.Linear | nn.Conv2d)]
        engine = [fully_shard(part, mesh=mesh) for part in (*layers, model)][-1]
    optimizer: Any = torch.optim.SGD(model.parameters(), lr=0.1)
    if how.startswith("zero"):
        import deepspeed

        config = {"zero_optimization": {"stage": int(how[-1]), **options}, "gradient_clipping": 0.0}
        config |= {"train_micro_batch_size_per_gpu": 4, "zero_allow_untested_optimizer": True}
        optimizer, *_ = deepspeed.initialize(model=model, optimizer=optimizer, config=config)
        engine = optimizer
    dist.barrier()
    dist.distributed_c10d._set_pg_timeout(timedelta(seconds=wait_s))
    for batch in loader:
        loss = engine(*batch)
        engine.backward(loss) if how.startswith("zero") else loss.backward()
        optimizer.step()
        optimizer.zero_grad()
