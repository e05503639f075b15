"""What is left of a data set once LLaMA-Factory has read it."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import yaml
from failure import ANSWERED, ASKED, chats, read, write

from fixbook.recipe import run_snippet, snippet, snippet_text
from fixbook.recipe.helpers import tiny_tokenizer

MOSTLY_REVERSED = [*chats(ASKED, ANSWERED)[:1], *chats(ANSWERED, ASKED)[:3]]


def printed(name: str) -> Any:
    """Return what the page prints for dataset_info.json, or for the training file."""
    text = snippet_text(name)
    return json.loads(text) if text.startswith("{") else yaml.safe_load(text)


def run(rows: list[Any], info: Any, mend: str = "", **more: Any) -> dict[str, Any]:
    """Write the data, do to it what the page says, and read it."""
    write(rows, info)
    if mend:
        snippet(mend)
    return left(**more)


def left(**more: Any) -> dict[str, Any]:
    """Read what is written; return how many rows are left, and the tokens to learn."""
    import proof_factory  # noqa: F401  its stand-in is needed by a step that starts on its own

    rows = list(read(tiny_tokenizer(), **more))
    labels = [row.get("labels") or row.get("chosen_labels") or row["input_ids"] for row in rows]
    return {"kept": len(rows), "learned": min(sum(label != -100 for label in of) for of in labels)}


def left_of_stream(workers: int) -> dict[str, Any]:
    """Read sound rows as a stream, for this number of workers."""
    return run(chats(ASKED, ANSWERED), printed("tags"), streaming=True, workers=workers)


def logged(rows: list[Any], info: Any) -> dict[str, Any]:
    """Read three times, the second time from the cache; count in that log as the page does."""
    write(rows, info)
    kept = _with_log("first.log")
    _with_log("train.log")
    _with_log("anew.log", overwrite_cache=True)
    dropped = int(run_snippet("count").stdout)
    reasons = [
        Path(name).read_text("utf-8").count("Invalid role tag in")
        for name in ("first.log", "train.log", "anew.log")
    ]
    return {"found": dropped > 0, "dropped": dropped, "reasons": reasons} | kept


def _with_log(name: str, **more: Any) -> dict[str, Any]:
    import proof_factory  # noqa: F401

    logger, handler = logging.getLogger("llamafactory"), logging.FileHandler(name)
    logger.addHandler(handler)
    try:
        return left(**more)
    finally:
        logger.removeHandler(handler)
