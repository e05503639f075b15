"""Rank 0 preprocesses for longer than a collective may take, and the ranks that wait give up."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "datasets==5.2.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import json
import os
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch.distributed as dist
from datasets import load_from_disk
from failure import ROWS, arguments, load, tokenize

from fixbook.recipe import fix, main, measure, non_fix, reproduce, snippet

if TYPE_CHECKING:
    from collections.abc import Callable

RANK = int(os.environ.get("RANK", "0"))
FILE, PREPARED, READY = Path("train.jsonl"), Path("prepared"), Path("ready")


def run(
    *,
    ddp_timeout: int = 3,
    group_timeout: int | None = None,
    prepared: bool = False,
    own_group: bool = False,
    stacks: bool = False,
    function: Callable[[Any], Any] = tokenize,
) -> dict[str, Any]:
    """Load the data on both ranks, then meet at a collective as training would."""
    prepare(first=prepared)
    if group_timeout:
        dist.init_process_group("gloo", timeout=timedelta(seconds=group_timeout))
    args = arguments(ddp_timeout)
    in_force = snippet("in-force", device="cpu")["timeout"]
    if stacks:
        snippet("stacks", after_s=1.5)
    measure(asked_s=args.ddp_timeout, timeout_s=in_force.total_seconds())
    ahead = snippet("own-group")["rank_zero_first"] if own_group else None
    data = load_from_disk(str(PREPARED)) if prepared else load(args, FILE, ahead, function)
    dist.barrier()
    return {"rows": len(data), "tokenized": tokenized()}


def prepare(*, first: bool) -> None:
    """Write the data, and run what a reader runs before the training, in one process."""
    if RANK == 0:
        FILE.write_text("\n".join(json.dumps({"text": "w" * row}) for row in range(ROWS)), "utf-8")
        if first:
            snippet("prepare", tokenize=tokenize)
        READY.touch()
    while not READY.exists():
        time.sleep(0.05)


def tokenized() -> int:
    """Return how many rows this rank has tokenized."""
    counted = Path(f"rows-{RANK}.txt")
    return len(counted.read_text("utf-8")) if counted.exists() else 0


@reproduce(on="cpu", ranks=2, needs=["datasets", "transformers"])
def tokenized_in_training() -> Any:
    """Rank 1 waits three seconds for work of five."""
    return run()


@fix("prepare", control="tokenized-in-training", on="cpu", ranks=2, needs=["datasets"])
def prepared_beforehand() -> Any:
    """Nobody waits for anybody."""
    return run(prepared=True)


@fix("own-group", control="tokenized-in-training", on="cpu", ranks=2, needs=["datasets"])
def waited_in_own_group() -> Any:
    """The collectives of the training keep their three seconds."""
    return run(own_group=True)


@fix("raise", control="tokenized-in-training", on="cpu", ranks=2, needs=["datasets"])
def longer_timeout() -> Any:
    """Every collective may take as long."""
    return run(ddp_timeout=60)


@reproduce(on="cpu", ranks=2, needs=["datasets", "transformers"])
def group_existed() -> Any:
    """The same in a process group that the script has created."""
    return run(group_timeout=3)


@non_fix("too-late", control="group-existed", on="cpu", ranks=2, needs=["datasets"])
def longer_timeout_too_late() -> Any:
    """The Trainer takes the group as it finds it."""
    return run(group_timeout=3, ddp_timeout=60)


@fix("raise", control="group-existed", on="cpu", ranks=2, needs=["datasets"])
def longer_timeout_of_the_group() -> Any:
    """Where the group is created, it counts."""
    return run(group_timeout=60)


if __name__ == "__main__":
    main(__file__)
