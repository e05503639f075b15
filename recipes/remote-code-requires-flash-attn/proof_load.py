"""Load the model in the ways of the page, and ask what its files import."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import transformers
from failure import FOLDER, answer, load, save
from transformers import AutoModelForCausalLM

from fixbook.recipe import measure, snippet


def install(files: dict[str, str]) -> None:
    """Put packages of a few lines on the path, as if they were installed."""
    for name, text in files.items():
        file = Path("stand-in", name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    sys.path.insert(0, str(Path("stand-in").resolve()))


def flash_attn(*, compiled: bool) -> None:
    """Install a flash_attn whose compiled module is there, or is not.

    Args:
        compiled: Whether the module that its own code imports is there.
    """
    files = {
        "flash_attn/__init__.py": "import flash_attn_2_cuda\n\nflash_attn_func = None\n",
        "flash_attn-2.8.3.dist-info/METADATA": "Name: flash_attn\nVersion: 2.8.3\n",
    }
    if compiled:
        files["flash_attn_2_cuda.py"] = ""
    install(files)


def loaded(imports: str, lines: str = "", **options: Any) -> dict[str, Any]:
    """Save a model whose code has these imports, and load it.

    Args:
        imports: The first lines of the model's code.
        lines: The snippet of the page that loads it, or that changes its code first.
        **options: Arguments of ``from_pretrained`` beside.
    """
    want = save(imports)
    measure(release=transformers.__version__, **options)
    if lines == "optional":
        snippet("optional")
    if lines in {"built-in", "patch"}:
        measure(skipped=lines == "patch")
        model = snippet(lines, AutoModelForCausalLM=AutoModelForCausalLM)["model"]
    else:
        model = load(**options)
    same = bool(answer(model).equal(want))
    return {"same": same, "of": type(model).__name__, **asked_again()}


def asked(imports: str) -> dict[str, Any]:
    """Save a model whose code has these imports, and ask the page's check about its folder."""
    save(imports)
    return asked_again()


def asked_again() -> dict[str, Any]:
    """Ask the check about the folder as it is."""
    missing: dict[str, str] = snippet("missing")["missing"]
    return {"found": bool(missing), "missing": "; ".join(missing.values())}


__all__ = ["FOLDER", "asked", "flash_attn", "loaded"]
