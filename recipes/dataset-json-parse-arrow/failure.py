"""A JSONL file of which one row is unlike the others, loaded as training scripts load it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from datasets import Features, Value, load_dataset

BLANK = "x" * 1000  # 11,000 rows of this length are more than the 10 MiB that are read at a time

ROWS: dict[str, tuple[Any, Any]] = {
    "number": (7, "7 apples"),
    "empty": (None, "7 apples"),
    "parts": ("hello", [{"type": "text", "text": "hello"}]),
    "texts": ("hello", "hello"),
    "dates": ("2024-01-01", "unknown"),
    "keys": ({"a": 1}, {"a": 1, "b": 2}),
    "fewer-keys": ({"a": 1, "b": 2}, {"a": 1}),
}


def write(kind: str = "number", *, rows: int = 11_000, ending: str = "jsonl", end: str = "") -> str:
    """Write many rows of one kind, and a last one of another or the line ``end``."""
    first, last = (json.dumps({"answer": value, "prompt": BLANK}) for value in ROWS[kind])
    path = Path(f"train.{ending}")
    path.write_text("\n".join([first] * rows + [end or last]) + "\n")
    return str(path)


def load(path: str, answer: Any = None) -> Any:
    """Load the file, with the type of the column stated or inferred."""
    features = Features({"answer": answer, "prompt": Value("string")}) if answer else None
    return load_dataset("json", data_files=path, split="train", features=features)
