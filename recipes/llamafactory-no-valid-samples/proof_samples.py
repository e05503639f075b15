"""What is left of a data set once LLaMA-Factory has read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from failure import ANSWERED, ASKED, WHOLE, chats, questions, read, write

from fixbook.recipe import snippet, snippet_text
from fixbook.recipe.helpers import tiny_tokenizer

ONE_GOOD = [*chats(ASKED, ANSWERED)[:1], *chats(ANSWERED, ASKED)[:3]]


def run(rows: list[Any] | None = None, *, tags: Any = WHOLE, **more: Any) -> dict[str, Any]:
    """Write the data, and read it."""
    import proof_factory  # noqa: F401  its stand-in is needed by a step that starts on its own

    rows = chats(ASKED, ANSWERED) if rows is None else rows
    write(rows, tags)
    if tags == WHOLE:
        Path("data/dataset_info.json").write_text(snippet_text("info"), "utf-8")
    return left(**more)


def left(**more: Any) -> dict[str, Any]:
    """Read what is written; return how many rows are left, and the tokens to learn."""
    rows = read(tiny_tokenizer(), **more)
    learned = [sum(label != -100 for label in labels) for labels in rows["labels"]]
    return {"kept": len(rows), "learned": min(learned)}


def answered(**columns: str) -> dict[str, Any]:
    """Write data in alpaca form with these columns, and read it."""
    import proof_factory  # noqa: F401

    questions(**columns)
    return left()


def check(rows: list[Any]) -> dict[str, Any]:
    """Ask the page's check, and LLaMA-Factory itself."""
    write(rows, WHOLE)
    names = {"data_file": "data/mine.json", "info_file": "data/dataset_info.json"}
    bad = snippet("check", dataset="mine", **names)["bad"]
    return {"found": bool(bad), "bad": len(bad)} | run(rows)
