"""The page's arithmetic on the model, and whether vLLM takes a size."""

from __future__ import annotations

import contextlib
import io
from typing import Any

from failure import serve

from fixbook.recipe import measure, snippet


def look(size: int) -> dict[str, Any]:
    """See whether vLLM takes this size, then ask the page's code which sizes fit."""
    try:
        taken = serve(f"vllm serve MODEL --tensor-parallel-size {size}")["tensor"] == size
    except ValueError:
        taken = False
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        done = snippet("sizes")
    measure(said=said.getvalue().strip())
    return {"found": size not in done["sizes"], "taken": taken}
