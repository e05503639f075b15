"""What the ranks run: the loading of the data in all its variants, and how often it happens."""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import random
import time
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import datasets
import torch.distributed as dist
from datasets import fingerprint, load_from_disk
from failure import ROWS, arguments, load, mapped, tokenize

from fixbook.recipe import measure, snippet

if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection

RANK = int(os.environ.get("RANK", "0"))
FILE, PREPARED, READY = Path("train.jsonl"), Path("prepared"), Path("ready")


def run(
    *,
    ddp_timeout: int = 3,
    group_timeout: int | None = None,
    before: str = "",
    own_group: bool = False,
    stacks: bool = False,
    function: Callable[[Any], Any] = tokenize,
) -> dict[str, Any]:
    """Load the data on both ranks, then meet at a collective as training would.

    Args:
        ddp_timeout: What the Trainer is asked for, in seconds.
        group_timeout: Timeout of a group that the script creates first, in seconds.
        before: What one process does beforehand: ``save`` the data, or ``cache`` it; or nothing.
        own_group: Whether the ranks wait in a group of its own.
        stacks: Whether stacks are written out while they wait.
        function: What is mapped.
    """
    prepare(before)
    if group_timeout:
        dist.init_process_group("gloo", timeout=timedelta(seconds=group_timeout))
    args = arguments(ddp_timeout)
    in_force = snippet("in-force", device="cpu")["timeout"]
    if stacks:
        snippet("stacks", after_s=1.5)
    measure(asked_s=args.ddp_timeout, timeout_s=in_force.total_seconds())
    ahead = snippet("own-group")["rank_zero_first"] if own_group else None
    data = load_from_disk(str(PREPARED)) if before == "save" else load(args, FILE, ahead, function)
    dist.barrier()
    return {"rows": len(data), "tokenized": tokenized()}


def prepare(before: str) -> None:
    """Write the data, and run what a reader runs before the training, in one process."""
    if RANK == 0:
        FILE.write_text("\n".join(json.dumps({"text": "w" * row}) for row in range(ROWS)), "utf-8")
        if before == "save":
            snippet("prepare", tokenize=tokenize)
        if before == "cache":
            mapped(FILE, tokenize)
            rows_of(RANK).unlink()
        READY.touch()
    while not READY.exists():
        time.sleep(0.05)


def rows_of(rank: int) -> Path:
    """Return the file in which a rank notes each row that it tokenizes."""
    return Path(f"rows-{rank}.txt")


def tokenized() -> int:
    """Return how many rows this rank has tokenized."""
    return len(rows_of(RANK).read_text("utf-8")) if rows_of(RANK).exists() else 0


def look(**changes: Any) -> dict[str, Any]:
    """Load the data with the page's lines at the top, and read what they wrote."""
    with contextlib.suppress(RuntimeError):
        run(stacks=True, **changes)
    faulthandler.cancel_dump_traceback_later()
    zero, one = (Path(f"stack-{rank}.txt").read_text("utf-8") for rank in range(2))
    return {"found": "in map" in zero and "in barrier" in one}


def counted(database: Connection | None = None, *, cache: str = "cache") -> dict[str, Any]:
    """Tokenize with time enough, and tell whether rank 1 repeated what rank 0 has done."""
    # Forked ranks share the generator that stands in for a hash; ranks of their own do not.
    fingerprint.fingerprint_rng = random.Random()
    datasets.config.HF_DATASETS_CACHE = Path(cache.format(rank=RANK)).absolute()
    said = run(ddp_timeout=60, function=partial(tokenize, database=database))
    of_ranks = [0, 0]
    dist.all_gather_object(of_ranks, said["tokenized"])
    return said | {"found": of_ranks[1] > 0}
