"""Columns of another file, columns that come late or were not stated, and a late fraction."""

from __future__ import annotations

from typing import Any

from datasets import Dataset, Features, Json, Value, load_dataset
from failure import write

from fixbook.recipe import fix, reproduce

LATE = '{"answer": 7, "prompt": "x", "note": "a key of its own"}'
ONE = {"answer": Value("int64"), "prompt": Value("string")}


def load(*files: str, columns: dict[str, Any] | None = None) -> Dataset:
    """Load one file or more, with all columns stated or none."""
    features = Features(columns) if columns else None
    return load_dataset("json", data_files=list(files), split="train", features=features)


def late(columns: dict[str, Any] | None = None) -> dict[str, Any]:
    """Load a file whose last line has a column of its own."""
    rows = load(write(end=LATE), columns=columns)
    return {"rows": len(rows), "first": rows[0]["note"], "last": rows[-1]["note"]}


@reproduce()
def late_column() -> dict[str, Any]:
    """A key that no row before it has."""
    return late()


@reproduce()
def another_file() -> None:
    """The second file has a column that the first has not."""
    load(write("texts", rows=1), write("texts", rows=1, ending="json", end=LATE))


@fix("state-the-type", control="late-column")
def stated_column() -> dict[str, Any]:
    """Rows before it hold null."""
    return late({**ONE, "note": Value("string")})


@reproduce()
def one_stated_too_few() -> None:
    """There is a column of which nothing was said."""
    load(write(rows=1), columns={"answer": Json()})


@reproduce()
def late_fraction() -> None:
    """Integers, and a number with a fraction behind them."""
    load(write(end='{"answer": 0.5, "prompt": "x"}'))
