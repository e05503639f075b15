"""Code that is compiled for every value it meets, up to the limit of eight, and then no more."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from failure import orthogonalize, train, warm_up
from torch._dynamo.exc import FailOnRecompileLimitHit
from torch._dynamo.utils import counters

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

CONFIGS = Path(__file__).parent / "configs"


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


def launched(name: str, *, check: bool = False, **changes: Any) -> dict[str, Any]:
    """Train as `accelerate launch` starts it, after the line that the page offers or without."""
    if check:
        snippet("raise")
    try:
        result = count(train, file=CONFIGS / name, folder="out", **changes)
    except FailOnRecompileLimitHit:
        return {"found": True}
    return {**result, "said": os.environ["ACCELERATE_DYNAMO_USE_DYNAMIC"]}


@reproduce()
def counter() -> Any:
    """An integer attribute of the module that each call raises by one."""
    return count(warm_up)


@reproduce()
def counter_with_dynamic_shapes() -> Any:
    """Dynamic shapes are about sizes of tensors, not about attributes."""
    return count(warm_up, dynamic=True)


@fix("one-graph", control="counter")
def counter_as_tensor() -> Any:
    """The counter is a tensor."""
    return count(warm_up, tensor=True)


@non_fix("raise-the-limit-for-ever", control="counter")
def counter_with_a_higher_limit() -> Any:
    """One compilation for each call."""
    return count(warm_up, limit=64)


@reproduce()
def weights() -> Any:
    """Ten parameters, ten shapes; the shape of a parameter is taken for fixed."""
    return count(orthogonalize)


@fix("one-graph", control="weights")
def weights_detached() -> Any:
    """The same as plain tensors."""
    return count(orthogonalize, detached=True)


@fix("raise-the-limit", control="weights")
def weights_with_a_higher_limit() -> Any:
    """As many compilations as there are shapes, and no more."""
    return count(orthogonalize, limit=64)


@detect(found=True)
def lengths_launched() -> Any:
    """Ten lengths: training ends well, and what it said is in its log."""
    return launched("before.yaml")


@fix("dynamic-shapes", control="lengths-launched")
def lengths_dynamic() -> Any:
    """The launcher is told to."""
    return launched("after.yaml")


@fix("one-length", control="lengths-launched")
def lengths_padded() -> Any:
    """Each text is padded to one length."""
    return launched("before.yaml", padded=True)


@detect(found=True)
def raised() -> Any:
    """The line on the page ends the training at the limit."""
    return launched("before.yaml", check=True)


@detect(found=False, control="raised")
def not_raised() -> Any:
    """Dynamic shapes stay below it."""
    return launched("after.yaml", check=True)


if __name__ == "__main__":
    main(__file__)
