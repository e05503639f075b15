"""What the ranks do while one of them waits, and how often the data is tokenized."""

from __future__ import annotations

import contextlib
import faulthandler
import random
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import torch.distributed as dist
from datasets import fingerprint
from failure import tokenize
from recipe import run

from fixbook.recipe import detect


def look(**changes: Any) -> dict[str, Any]:
    """Load the data with the page's lines at the top, and read what they wrote."""
    with contextlib.suppress(RuntimeError):
        run(stacks=True, **changes)
    faulthandler.cancel_dump_traceback_later()
    zero, one = (Path(f"stack-{rank}.txt").read_text("utf-8") for rank in range(2))
    return {"found": "in map" in zero and "in barrier" in one}


@detect(found=True, on="cpu", ranks=2, needs=["datasets"])
def stacks_while_waiting() -> Any:
    """Rank 0 is in map, rank 1 in a barrier."""
    return look()


@detect(found=False, control="stacks-while-waiting", on="cpu", ranks=2, needs=["datasets"])
def stacks_prepared() -> Any:
    """Nobody is in either."""
    return look(prepared=True)


def counted(database: sqlite3.Connection | None) -> dict[str, Any]:
    """Tokenize with time enough, and tell whether rank 1 repeated what rank 0 has done."""
    # Forked ranks share the generator that stands in for a hash; ranks of their own do not.
    fingerprint.fingerprint_rng = random.Random()
    said = run(ddp_timeout=60, function=partial(tokenize, database=database))
    of_ranks = [0, 0]
    dist.all_gather_object(of_ranks, said["tokenized"])
    return said | {"found": of_ranks[1] > 0}


@detect(found=True, on="cpu", ranks=2, needs=["datasets"])
def not_hashable() -> Any:
    """Each rank tokenizes everything again."""
    return counted(sqlite3.connect(":memory:"))


@detect(found=False, control="not-hashable", on="cpu", ranks=2, needs=["datasets"])
def hashable() -> Any:
    """Rank 1 reads what rank 0 wrote."""
    return counted(None)
