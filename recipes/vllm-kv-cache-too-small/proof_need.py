"""Run a command of the page, and the page's arithmetic for one length."""

from __future__ import annotations

import contextlib
import io
from typing import Any

from failure import serve, write

from fixbook.recipe import measure, snippet

AVAILABLE = 5.58  # GiB, as the engine says of the card


def run(command: str) -> dict[str, float]:
    """Write the model and serve it with this command."""
    write()
    return serve(command)


def look(length: int) -> dict[str, Any]:
    """Do the arithmetic for this length, then see whether the engine starts with it."""
    write()
    with contextlib.redirect_stdout(io.StringIO()):
        need = snippet("need")["needed"](length)
    measure(need=need, said=f"{need:.1f} GiB", available=AVAILABLE)
    try:
        started = serve(f"vllm serve MODEL --max-model-len {length}")["length"] == length
    except ValueError:
        started = False
    return {"found": need > AVAILABLE, "started": started}
