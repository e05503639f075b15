"""DeepSpeed's ranks on any device, and on a CPU without what it would compile there first."""

from __future__ import annotations

import os
from pathlib import Path

from fixbook.recipe.author.devices import backend, device


def without_shared_memory_kernels() -> None:
    """Have DeepSpeed leave out its collectives in shared memory.

    They speed up ranks on one CPU, change no result, and would be compiled first. To be called
    before DeepSpeed knows a process group.
    """
    import deepspeed  # noqa: PLC0415

    deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False


def join_gloo() -> None:
    """Join the launcher's process group over gloo, or make one of this process alone.

    The latter also sets what a launcher would: ``RANK``, ``LOCAL_RANK`` and ``WORLD_SIZE``.
    DeepSpeed is left without its shared-memory collectives, and not initialised.
    """
    import torch.distributed as dist  # noqa: PLC0415

    without_shared_memory_kernels()
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    else:
        os.environ.update(RANK="0", LOCAL_RANK="0", WORLD_SIZE="1")
        meeting = (Path.cwd() / "meeting").as_uri()
        dist.init_process_group("gloo", init_method=meeting, rank=0, world_size=1)


def join_ranks() -> None:
    """Join the launcher's process group on the step's device, or make one of this process alone.

    Like `join_gloo`, for steps ``on="any"``: each rank takes its GPU, and they talk by `backend`.
    """
    import torch  # noqa: PLC0415
    import torch.distributed as dist  # noqa: PLC0415

    without_shared_memory_kernels()
    if device() != "cpu":
        torch.cuda.set_device(device())
    if "RANK" in os.environ:
        dist.init_process_group(backend())
    else:
        os.environ.update(RANK="0", LOCAL_RANK="0", WORLD_SIZE="1")
        meeting = (Path.cwd() / "meeting").as_uri()
        dist.init_process_group(backend(), init_method=meeting, rank=0, world_size=1)
