"""Which releases are there, which are taken for usable, and whether the model loads."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from failure import install_newer, load, save

from fixbook.recipe import measure, snippet


def prepare(session: str) -> None:
    """Do what was done in this process before: ``asked``, ``installed``, or both."""
    save()
    if "asked" in session:
        fail_first()
    if "installed" in session:
        install_newer()


def run(session: str = "", *, stored: bool = False) -> dict[str, Any]:
    """Load, and say what came of it."""
    prepare(session)
    measure(accelerate=version("accelerate"), bitsandbytes=version("bitsandbytes"))
    model = load(stored=stored)
    return {
        "layer": type(model.model.layers[0].mlp.up_proj).__name__,
        "bytes": model.get_memory_footprint(),
    }


def fail_first() -> None:
    """Meet the error, and go on, as one does in a notebook."""
    try:
        load()
    except ImportError:
        return
    raise AssertionError("the first attempt was to fail")


def ask(session: str = "") -> dict[str, Any]:
    """Ask the page what transformers takes for usable."""
    prepare(session)
    found = snippet("seen")
    return {"found": not all(found["usable"].values()), "gpu": str(found["gpu"])}
