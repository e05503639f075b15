"""The page's look at a card with so much free."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import torch
from failure import serve

from fixbook.recipe import measure, snippet

GIB = 2**30


def look(free: float, share: float) -> dict[str, Any]:
    """Ask how much is free, then see whether the engine starts with this share."""
    torch.cuda.mem_get_info = lambda *_: (int(free * GIB), 24 * GIB)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        done = snippet("free")
    measure(said=said.getvalue().strip())
    command = f"vllm serve MODEL --max-model-len 8192 --gpu-memory-utilization {share}"
    try:
        started = serve(command, free)["tokens"] > 0
    except ValueError:
        started = False
    return {"found": done["free"] < done["total"] * share, "started": started}
