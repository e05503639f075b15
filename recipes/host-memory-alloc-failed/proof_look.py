"""What refuses a request, and what a granted one has used."""

from __future__ import annotations

from typing import Any

import torch
from failure import kib

from fixbook.recipe import snippet
from fixbook.recipe.helpers import limits


def why(asked: int, *, limited: bool = False) -> dict[str, Any]:
    """Ask what refuses so many bytes, with a limit of 64 MiB more than now, or without."""
    room = 64 << 20 if limited else 1 << 46
    with limits(memory=kib("VmSize") * 1024 + room):
        return refused(asked)


def refused(asked: int) -> dict[str, Any]:
    """Put the page's question about so many bytes."""
    said = snippet("why", asked=asked)["said"]
    return {"found": said != "nothing refuses that now", "said": said.split(":")[0]}


def grown(*, written: bool) -> dict[str, Any]:
    """Allocate 256 MiB, write them or do not, and see by how many MiB the process has grown."""
    before = kib("VmRSS")
    tensor = torch.empty(256 << 20, dtype=torch.uint8)
    if written:
        tensor.fill_(1)
    mib = (kib("VmRSS") - before) >> 10
    return {"found": mib < 64, "mib": mib, "allocated": tensor.numel() >> 20}
