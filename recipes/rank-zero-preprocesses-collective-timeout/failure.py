"""Rank 0 tokenizes the data set while the other ranks wait for it at a barrier."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets import Dataset, load_dataset
from transformers import TrainingArguments

if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection

ROWS, SECONDS_PER_ROW = 20, 0.25


def tokenize(row: dict[str, Any], database: Connection | None = None) -> dict[str, Any]:
    """Stand for a slow tokenizer, count what it was given, and look something up."""
    time.sleep(SECONDS_PER_ROW)
    with Path(f"rows-{os.environ['RANK']}.txt").open("a", encoding="utf-8") as done:
        done.write("1")
    found = database.execute("select 1").fetchone()[0] if database else 0
    return {"length": len(row["text"]), "found": found}


def arguments(ddp_timeout: int) -> TrainingArguments:
    """Return the arguments of a training on CPUs; they create the process group."""
    return TrainingArguments("out", ddp_backend="gloo", ddp_timeout=ddp_timeout, report_to=[])


def load(
    args: TrainingArguments,
    file: Path,
    first: Callable[[], Any] | None = None,
    function: Callable[[Any], Any] = tokenize,
) -> Dataset:
    """Return the tokenized data: from rank 0, and on the other ranks from its cache."""
    with first() if first else args.main_process_first(desc="tokenizing"):
        return mapped(file, function)


def mapped(file: Path, function: Callable[[Any], Any]) -> Dataset:
    """Return the tokenized data, from the cache if it is there."""
    return load_dataset("json", data_files=str(file), split="train").map(function)
