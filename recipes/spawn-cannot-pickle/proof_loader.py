"""Read through each loader, import what the page prints, and ask its question."""

from __future__ import annotations

import contextlib
import importlib
import io
import multiprocessing
import os
import sys
from pathlib import Path
from typing import Any

import torch
from failure import PATH, ROWS, WIDTH, OpenRows, Rows, first, loader, local_collate
from torch.utils.data import DataLoader, TensorDataset, default_collate

from fixbook.recipe import measure, snippet, snippet_text
from fixbook.recipe.helpers import tiny_tokenizer

LENGTH = 20


def module(name: str) -> Any:
    """Write a snippet into a module of its own, and import it."""
    Path(f"{name}.py").write_text(snippet_text(name.replace("_", "-")), "utf-8")
    sys.path.insert(0, str(Path.cwd()))
    return importlib.import_module(name)


def local_rows() -> Any:
    """Return rows whose class is defined inside this function."""

    class Inside(Rows):
        pass

    return Inside()


def make(kind: str, **more: Any) -> Any:
    """Make the loader of this kind."""
    Path(PATH).write_bytes(b"".join(b"row %4d" % index for index in range(ROWS)))
    if kind == "local":
        return loader(Rows(), local_collate(LENGTH), **more)
    if kind == "fork":
        names = {"DataLoader": DataLoader, "rows": Rows(), "collate": local_collate(LENGTH)}
        return snippet("fork", **names)["loader"]
    if kind == "lambda":
        return loader(Rows(), first, **more)
    if kind == "open":
        return loader(OpenRows(PATH), None, **more)
    if kind == "top-level":
        return module("top_level").make_loader(Rows())
    return loader(module("open_later").FileRows(PATH, ROWS, WIDTH), list, **more)


def read(kind: str, **more: Any) -> dict[str, Any]:
    """Read all rows; count those that this very process made."""
    made = make(kind, **more)
    found = asked(made)
    measure(workers=made.num_workers, found=bool(found), default=multiprocessing.get_start_method())
    rows = [row for batch in made for row in batch]
    own = sum(row == str(os.getpid()).encode() for row in rows)
    return {"rows": len(rows), "own": own, "last": str(rows[-1])}


def asked(made: Any) -> dict[str, str]:
    """Ask the page's question."""
    with contextlib.redirect_stdout(io.StringIO()):
        said: dict[str, str] = snippet("unpicklable", loader=made)["refused"]
    return said


def look(kind: str) -> dict[str, Any]:
    """Ask it of a loader of this kind."""
    said = asked(loader(local_rows(), None) if kind == "local class" else make(kind))
    return {"found": bool(said), "said": ", ".join(said)}


def usual() -> dict[str, Any]:
    """Ask it of loaders that spawn does not refuse."""
    from datasets import Dataset as Table  # type: ignore[import-untyped]  # not in each worker
    from transformers import DataCollatorWithPadding

    rows = [TensorDataset(torch.ones(4, 2)), [1, 2], Table.from_dict({"x": [1, 2]})]
    collators = [default_collate, None, DataCollatorWithPadding(tiny_tokenizer())]
    said = [asked(loader(one, collate)) for one in rows for collate in collators]
    return {"found": any(said), "asked": len(said)}
