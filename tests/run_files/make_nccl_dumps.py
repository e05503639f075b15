"""Make the dumps of nccl-dumps.tar.gz: torch's own ProcessGroupNCCL, its watchdog and its recorder.

They run in torch's build for CUDA over NCCL as published; the GPUs stand in, so no kernel moves
anything, and a collective that a rank is absent from is told to be unfinished, as on a card.

Usage, by hand: PYTHONPATH=.:TORCH:NCCL python tests/run_files/make_nccl_dumps.py KIND [RANKS]
where TORCH holds torch==2.11.0 and nvidia-cuda-runtime==13.0.96, NCCL nvidia-nccl-cu13==2.29.7.
The dumps land where TORCH_FR_DUMP_TEMP_FILE says; rank-missing, of four, ran below `fixbook watch`.
It was called /home/you/train.py.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import socket
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from fixbook.files import cache_folder
from fixbook.recipe.helpers.gpu import load, stand_in_libraries
from fixbook.recipe.helpers.nccl.build import CALLS, NVML, stand_in_below_nccl
from fixbook.recipe.helpers.nccl.rank import published
from fixbook.recipe.helpers.nccl.replace import replace

KINDS = ("rank-missing", "other-call", "other-size")
BAD = 1
SETTINGS = {
    "NCCL_CUMEM_ENABLE": "0",
    "NCCL_CUMEM_HOST_ENABLE": "0",
    "MASTER_ADDR": "127.0.0.1",
    "OMP_NUM_THREADS": "1",
    "TORCH_NCCL_WAIT_TIMEOUT_DUMP_MILSEC": "5000",
}


def stand_in() -> None:
    """Load NCCL first: what stands in for the rest of CUDA has its names, too."""
    below, library = stand_in_below_nccl(cache_folder() / "nccl"), published()
    ctypes.CDLL(str(below / NVML), ctypes.RTLD_GLOBAL)
    calls = ctypes.CDLL(str(below / CALLS))
    nccl = ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)
    replace(library, nccl, "ncclGetVersion", calls)
    spec = importlib.util.find_spec("torch")
    assert spec
    assert spec.origin
    load(stand_in_libraries(Path(spec.origin).parent, cache_folder() / "gpu"))


def rank_of(kind: str) -> None:
    """Train for three steps, and part at the fourth as a kind says."""
    stand_in()
    import torch  # noqa: PLC0415  (after what it links)
    import torch.distributed as dist  # noqa: PLC0415

    dist.init_process_group("nccl", timeout=timedelta(seconds=10))
    rank, world = dist.get_rank(), dist.get_world_size()
    ones = torch.ones(4, device="cuda")
    for _ in range(3):
        dist.all_reduce(ones)
        torch.cuda.synchronize()
    time.sleep(2)  # the watchdog sees that they are done
    if rank == BAD and kind == "rank-missing":
        load_more()
    os.environ["FIXBOOK_GPU_ANSWERS"] = "cudaEventQuery=600"  # from now on nothing is done
    if rank == BAD and kind == "other-call":
        gathered = [torch.empty(4, device="cuda") for _ in range(world)]
        dist.all_gather(gathered, ones)
    elif rank == BAD and kind == "other-size":
        dist.all_reduce(torch.ones(5, device="cuda"))
    else:
        dist.all_reduce(ones)
    time.sleep(600)  # the watchdog ends it


def load_more() -> None:
    """As a rank that reads the next shard for long."""
    time.sleep(600)


def start(kind: str, count: int) -> None:
    """Start the ranks, each with a GPU of its own; end who is left once the others have ended."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    common = {**os.environ, **SETTINGS, "MASTER_PORT": port, "WORLD_SIZE": str(count)}
    common["FIXBOOK_GPU_COUNT"] = str(count)
    ranks: list[subprocess.Popen[Any]] = [
        subprocess.Popen(
            [sys.executable, __file__, kind],
            env={**common, "RANK": str(at), "LOCAL_RANK": str(at), "CUDA_VISIBLE_DEVICES": str(at)},
        )
        for at in range(count)
    ]
    codes = [one.wait() for at, one in enumerate(ranks) if at != BAD]
    try:
        codes.append(ranks[BAD].wait(timeout=20))
    except subprocess.TimeoutExpired:
        ranks[BAD].kill()
    sys.exit(1 if any(codes) else 0)


if __name__ == "__main__":
    if "RANK" in os.environ:
        rank_of(sys.argv[1])
    else:
        start(sys.argv[1], int((sys.argv[2:] or ["4"])[0]))
