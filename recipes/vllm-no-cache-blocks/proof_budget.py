"""Run a command of the page, and the page's arithmetic for one share of the card."""

from __future__ import annotations

import contextlib
import io
from typing import Any

from failure import serve, write

from fixbook.recipe import measure, snippet

USUAL = 15.0  # GiB of weights
LARGE = 22.0


def run(command: str, weights: float = USUAL) -> dict[str, float]:
    """Write the model and serve it with this command."""
    write()
    return serve(command, weights)


def look(share: float) -> dict[str, Any]:
    """Do the arithmetic for this share, then see whether the engine starts with it."""
    with contextlib.redirect_stdout(io.StringIO()):
        left = snippet("left")["left"](24, share, USUAL)
    measure(left=left, said=f"{left:.1f} GiB")
    command = f"vllm serve MODEL --max-model-len 8192 --gpu-memory-utilization {share}"
    try:
        started = run(command)["tokens"] > 0
    except ValueError:
        started = False
    return {"found": left <= 0, "started": started}
