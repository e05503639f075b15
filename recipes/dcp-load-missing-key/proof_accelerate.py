"""What accelerate asks of its own sharded checkpoint, by release."""

from __future__ import annotations

import os
from typing import Any

import accelerate
from accelerate import Accelerator, FullyShardedDataParallelPlugin
from accelerate.state import DistributedType, PartialState
from failure import build, train
from torch.distributed.checkpoint.filesystem import FileSystemReader

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import free_port


def begin() -> Any:
    """Start FSDP2 in one gloo process, which passes for an accelerator: simulated."""
    os.environ |= {"RANK": "0", "WORLD_SIZE": "1", "LOCAL_RANK": "0"}
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    os.environ |= {"ACCELERATE_USE_FSDP": "true", "ACCELERATE_TORCH_DEVICE": "cpu"}
    PartialState._prepare_backend = lambda *_, **__: ("gloo", DistributedType.MULTI_GPU)
    measure(accelerate=accelerate.__version__)
    plugin = FullyShardedDataParallelPlugin(
        fsdp_version=2, state_dict_type="SHARDED_STATE_DICT", cpu_ram_efficient_loading=False
    )
    return Accelerator(fsdp_plugin=plugin)


def averages(optimizer: Any) -> list[Any]:
    """Return a copy of each parameter's first moment, or None where it has none."""
    every = [optimizer.state.get(p) for group in optimizer.param_groups for p in group["params"]]
    return [state["exp_avg"].to_local().clone() if state else None for state in every]


def resumed(*, fresh: bool) -> dict[str, Any]:
    """Train, save and load; ``fresh``: into a new model and optimizer, else after one more step."""
    accelerator = begin()
    model, optimizer = accelerator.prepare(*build())
    train(model, optimizer)
    accelerator.save_state("saved")
    saved = averages(optimizer)
    names = FileSystemReader("saved/optimizer_0").read_metadata().state_dict_metadata
    measure(held=sum(name.endswith(".exp_avg") for name in names))
    if fresh:
        accelerator.free_memory()
        model, optimizer = accelerator.prepare(*build(seed=2))
    else:
        train(model, optimizer)
    accelerator.load_state("saved")
    without = snippet("without-state", optimizer=optimizer)["without"]
    both = zip(averages(optimizer), saved, strict=True)
    moments = sum(mine is not None and bool(mine.equal(known)) for mine, known in both)
    return {"found": bool(without), "without_state": len(without), "moments": moments}
