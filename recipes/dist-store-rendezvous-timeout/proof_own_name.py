"""One machine, whose own name torchrun tells its processes."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

from torch.distributed import run

from fixbook.recipe import fix, measure, reproduce
from fixbook.recipe.helpers import on_hosts

ONCE: Any = {"programs": ["ip"], "record_once": "torchrun goes on trying until it is given up"}
SUM = Path("sum")
WORKER = """
import os, pathlib, torch, torch.distributed as dist

pathlib.Path(f"started-{os.environ['RANK']}").touch()
dist.init_process_group("gloo")
total = torch.ones(1)
dist.all_reduce(total)
if dist.get_rank() == 0:
    pathlib.Path("sum").write_text(str(total.item()))
dist.destroy_process_group()
"""


def alone(local_addr: str) -> dict[str, float]:
    """Launch two processes on a machine that is called 6841231, and which no network reaches."""
    Path("worker.py").write_text(WORKER, "utf-8")

    def work() -> None:
        ctypes.CDLL(None).sethostname(b"6841231", 7)
        os.environ["OMP_NUM_THREADS"] = "1"
        own = ["--local-addr", local_addr] if local_addr else []
        run.main(["--standalone", "--nproc-per-node=2", *own, "worker.py"])

    try:
        if any(on_hosts(work, patience_s=25)):
            raise SystemExit(1)
    finally:
        measure(started=len(list(Path().glob("started-*"))))
    return {"sum": float(SUM.read_text("utf-8"))}


@reproduce(**ONCE)
def own_name_is_a_number() -> Any:
    """The name is read as an address."""
    return alone("")


@fix("own-name", control="own-name-is-a-number", **ONCE)
def own_address() -> Any:
    """They are told an address instead."""
    return alone("127.0.0.1")
