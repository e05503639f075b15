"""The page's arithmetic for a share, a model and its cards, and whether the engine starts."""

from __future__ import annotations

import contextlib
import io
from typing import Any

from failure import serve

from fixbook.recipe import measure, snippet

USUAL = 15.0  # GiB of weights
LARGE = 22.0
PICTURES = 0.0009  # GiB for each token of a step


def look(share: float, weights: float = USUAL, cards: int = 1) -> dict[str, Any]:
    """Do the arithmetic, then see whether the engine starts with the same."""
    with contextlib.redirect_stdout(io.StringIO()):
        left = snippet("left")["left"](24, share, weights, cards)
    measure(left=left, said=f"{left:.1f} GiB")
    command = (
        "vllm serve MODEL --max-model-len 8192"
        f" --gpu-memory-utilization {share} --tensor-parallel-size {cards}"
    )
    try:
        started = serve(command, weights)["tokens"] > 0
    except ValueError:
        started = False
    return {"found": left <= 0, "started": started}
