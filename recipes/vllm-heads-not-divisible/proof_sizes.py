"""Run a command of the page, and the page's arithmetic, on the model."""

from __future__ import annotations

import contextlib
import io
from typing import Any

from failure import serve, write

from fixbook.recipe import measure, snippet


def run(command: str) -> dict[str, int]:
    """Write the model and check this command."""
    write()
    return serve(command)


def look(size: int) -> dict[str, Any]:
    """Ask which sizes fit, then see whether vLLM takes this one."""
    write()
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        done = snippet("sizes")
    measure(said=said.getvalue().strip())
    try:
        taken = serve(f"vllm serve MODEL --tensor-parallel-size {size}")["tensor"] == size
    except ValueError:
        taken = False
    return {"found": size not in done["sizes"], "taken": taken}
