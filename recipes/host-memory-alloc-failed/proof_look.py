"""What refuses a request, and what a granted one has used."""

from __future__ import annotations

from typing import Any

import torch
from failure import kib

from fixbook.recipe import detect, snippet
from fixbook.recipe.helpers import limits

MILLION = 1 << 20  # positions


def why(asked: int, *, limited: bool = False) -> dict[str, Any]:
    """Ask what refuses so many bytes, with a limit of 64 MiB more than now, or without."""
    room = 64 << 20 if limited else 1 << 46
    with limits(memory=kib("VmSize") * 1024 + room):
        return refused(asked)


def refused(asked: int) -> dict[str, Any]:
    """Put the page's question about so many bytes."""
    said = snippet("why", asked=asked)["said"]
    return {"found": said != "nothing refuses that now", "said": said.split(":")[0]}


@detect(found=True)
def finds_the_limit() -> dict[str, Any]:
    """256 MiB where 64 are left."""
    return why(1 << 28, limited=True)


@detect(found=True)
def finds_the_shape() -> dict[str, Any]:
    """The request of the model for a million tokens."""
    return why(MILLION**2)


@detect(found=False, control="finds-the-limit")
def finds_nothing() -> dict[str, Any]:
    """256 MiB without a limit."""
    return why(1 << 28)


def grown(*, written: bool) -> dict[str, Any]:
    """Allocate 256 MiB, write them or do not, and see by how many MiB the process has grown."""
    before = kib("VmRSS")
    tensor = torch.empty(256 << 20, dtype=torch.uint8)
    if written:
        tensor.fill_(1)
    mib = (kib("VmRSS") - before) >> 10
    return {"found": mib < 64, "mib": mib, "allocated": tensor.numel() >> 20}


@detect(found=True)
def granted_on_credit() -> dict[str, Any]:
    """Nothing is used yet."""
    return grown(written=False)


@detect(found=False, control="granted-on-credit")
def written() -> dict[str, Any]:
    """Now it is."""
    return grown(written=True)
