"""Train on some ranks, save a checkpoint, and resume from it on another number of ranks."""

import os
from pathlib import Path
from typing import Any

import deepspeed
import torch
import torch.distributed as dist
from deepspeed.utils import safe_get_full_fp32_param
from torch import nn

X = torch.linspace(-1, 1, 32).reshape(4, 8)


def join(rank: int, world: int, meeting: str) -> None:
    """Join the other ranks of a run."""
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(world))
    where = Path(meeting).absolute().as_uri()
    dist.init_process_group("gloo", init_method=where, rank=rank, world_size=world)


def build(stage: int, *, elastic: bool = False, universal: bool = False) -> Any:
    """Return the engine of a small model, its weights fresh."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))
    config = {
        "train_micro_batch_size_per_gpu": 4,
        "optimizer": {"type": "AdamW", "params": {"lr": 0.01, "torch_adam": True}},
        "zero_optimization": {"stage": stage, "elastic_checkpoint": elastic},
        "checkpoint": {"load_universal": universal},
        "gradient_clipping": 0.0,
    }
    return deepspeed.initialize(model=model, config=config)[0]


def train(engine: Any, steps: int) -> None:
    """Train on one batch, the same on every rank: their number changes no gradient."""
    for _ in range(steps):
        engine.backward(engine(X).square().mean())
        engine.step()


def save(rank: int, world: int, stage: int, elastic: bool) -> None:  # noqa: FBT001
    """Train two steps, save, train two more; rank 0 notes the weights at both points."""
    join(rank, world, "saving")
    engine = build(stage, elastic=elastic)
    train(engine, 2)
    engine.save_checkpoint("saved", tag="global_step2")
    known = [weights(engine)]
    train(engine, 2)
    known.append(weights(engine))
    if rank == 0:
        torch.save([*known, engine.train_batch_size()], "known.pt")


def weights(engine: Any) -> list[Any]:
    """Return a copy of every whole weight; all ranks call it together."""
    parts = engine.zero_optimization_stage() > 0
    whole = safe_get_full_fp32_param if parts else torch.Tensor.detach
    return [whole(p).clone() for p in engine.module.parameters()]


def far(engine: Any, known: list[Any]) -> float:
    """Return the largest difference of a weight."""
    pairs = zip(weights(engine), known, strict=True)
    return max(float((one - other).abs().max()) for one, other in pairs)
