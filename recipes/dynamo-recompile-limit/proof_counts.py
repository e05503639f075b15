"""What was compiled and what was not, in this thread or another, and the page's code."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import torch
from failure import train
from torch._dynamo.exc import FailOnRecompileLimitHit
from torch._dynamo.utils import counters

from fixbook.recipe import measure, snippet

CONFIGS = Path(__file__).parent / "configs"


def register(self: Any) -> None:
    """Run the page's line."""
    snippet("counter", self=self, torch=torch)


def detached(update: Any, weight: torch.Tensor) -> None:
    """Run the page's line."""
    snippet("detach", update=update, weight=weight)


def own_limit(function: Any) -> Any:
    """Run the page's line, in place of a compiler with one that compiles nothing further."""
    options = {"backend": "eager", "fullgraph": True}
    return snippet("limit", function=function, options=options, torch=torch)["compiled"]


def count(work: Any, *, limit: int = 0, **changes: Any) -> dict[str, Any]:
    """Do it, and count what was compiled for it and what was not, also where it fails."""
    if limit:
        torch._dynamo.config.recompile_limit = limit
    try:
        work(**changes)
    finally:
        refused = counters["frames"]["total"] - counters["frames"]["ok"]
        measure(graphs=counters["stats"]["unique_graphs"], refused=refused)
        measure(limit=torch._dynamo.config.recompile_limit)
    return {"found": refused > 0}


def count_in_thread(work: Any, *, limit: int, **changes: Any) -> Any:
    """Raise the limit here, and do it in a thread of its own, which reads its own limit."""
    torch._dynamo.config.recompile_limit = limit
    measure(raised_to=torch._dynamo.config.recompile_limit)
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(count, work, **changes).result()


def launched(name: str, *, check: bool = False, **changes: Any) -> dict[str, Any]:
    """Train as `accelerate launch` starts it, after the line that the page offers or without."""
    if check:
        snippet("raise")
    try:
        result = count(train, file=CONFIGS / name, folder="out", **changes)
    except FailOnRecompileLimitHit:
        return {"found": True}
    return {**result, "said": os.environ["ACCELERATE_DYNAMO_USE_DYNAMIC"]}
