"""The page's question, and what a step has to do before vLLM is asked."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

from failure import architectures, of_another, saved_by_training, saved_without_head, serve

from fixbook.recipe import measure, snippet


def look() -> dict[str, Any]:
    """Ask the page's question."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        done = snippet("known")
    return {"said": said.getvalue().strip(), "found": not all(done["known"].values())}


def own_class(*, mended: bool = False, command: str = "vllm serve MODEL") -> dict[str, Any]:
    """Serve what training saved; ``mended``: after the page's lines."""
    saved_by_training()
    if mended:
        snippet("original")
    measure(**look(), trusted="--trust-remote-code" in command)
    return serve(command) | {"architectures": ", ".join(architectures())}


def body() -> dict[str, Any]:
    """Serve what AutoModel saved."""
    saved_without_head()
    return look() | serve()


def qwen(*, shadowed: bool) -> dict[str, Any]:
    """Serve a Qwen2; ``shadowed``: where a file has the name of a package."""
    of_another("Qwen2ForCausalLM", "qwen2")
    if shadowed:
        Path("regex.py").write_text("PATTERN = 'mine'\n", "utf-8")
    measure(**look())
    return serve()


def other(architecture: str, model_type: str = "llama") -> dict[str, Any]:
    """Serve a model of another class."""
    of_another(architecture, model_type)
    measure(**look())
    return serve()


def looked(*, mended: bool = False) -> dict[str, Any]:
    """Ask the page's question alone."""
    saved_by_training()
    if mended:
        snippet("original")
    return look()
