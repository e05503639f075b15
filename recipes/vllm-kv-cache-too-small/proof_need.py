"""The page's arithmetic for one length."""

from __future__ import annotations

import contextlib
import io
from typing import Any

from failure import serve

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers.vllm_workers import write_model

AVAILABLE = 5.58  # GiB, as the engine says of the card


def look(length: int) -> dict[str, Any]:
    """Do the arithmetic for this length, then see whether the engine starts with it."""
    write_model()
    with contextlib.redirect_stdout(io.StringIO()):
        need = snippet("need")["needed"](length)
    measure(need=need, said=f"{need:.1f} GiB", available=AVAILABLE)
    try:
        started = serve(f"vllm serve MODEL --max-model-len {length}")["length"] == length
    except ValueError:
        started = False
    return {"found": need > AVAILABLE, "started": started}
