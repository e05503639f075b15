"""A machine that counts one GPU, checkpoints from others, and the page's lines."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import torch
from failure import PATH, load, write

from fixbook.recipe import measure, snippet


def one_gpu() -> None:
    """Let torch count one GPU; nothing is put on it."""
    torch.cuda.is_available = lambda: True
    torch.cuda.device_count = lambda: 1


def attempt(
    saved: str = "cuda:1", printed: str = "", *, rewritten: bool = False, **options: Any
) -> dict[str, Any]:
    """Load a checkpoint that was saved on a device, in this way or by the page's lines."""
    one_gpu()
    write(saved)
    measure(asked=str(options), found=asked()["found"])
    if printed:
        weight = snippet(printed, path=PATH, torch=torch)["checkpoint"]["weight"]
        return {"device": str(weight.device), "sum": float(weight.sum())}
    if rewritten:
        snippet("rewrite", path=PATH, torch=torch)
    return load(**options)


def asked() -> dict[str, Any]:
    """Run the page's check."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        places = snippet("places", path=PATH)["places"]
    numbers = [int(place.partition(":")[2]) for place in places if place.startswith("cuda:")]
    found = any(number >= torch.cuda.device_count() for number in numbers)
    return {"found": found, "said": out.getvalue().strip()}


def look(saved: str) -> dict[str, Any]:
    """Run it on a checkpoint that was saved on a device."""
    one_gpu()
    write(saved)
    return asked()
