"""The page's check, on files that load and on files that do not."""

from __future__ import annotations

from typing import Any

from failure import write
from recipe import BROKEN, attempt

from fixbook.recipe import detect, snippet


def look(kind: str, *, loads: bool = True, **file: Any) -> dict[str, Any]:
    """Load a file, if it loads at all, and check it with the page's code."""
    loaded = attempt(kind, **file) if loads else {}
    check = snippet("check")["check_jsonl"]
    try:
        check(write(kind, **file))
    except ValueError as error:
        return {**loaded, "found": True, "message": str(error)}
    return {**loaded, "found": False}


@detect(found=True)
def finds_another_type() -> Any:
    """A content in parts, far down among texts, has become a text without a word."""
    return look("parts")


@detect(found=False, control="finds-another-type")
def accepts_one_type() -> Any:
    """All contents are texts."""
    return look("texts")


@detect(found=True)
def finds_a_broken_line() -> Any:
    """The number of the line in the file."""
    return look("number", loads=False, end=BROKEN)


@detect(found=True)
def tells_a_late_value() -> Any:
    """Where the first value of a column stands that begins with nulls."""
    firsts = snippet("check")["check_jsonl"](write("empty"))
    return {"found": firsts["answer"] > firsts["prompt"], "line": firsts["answer"]}
