"""Search documents as the browser loads them: by token, in few bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.index.documents import LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterable

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
BASE = 32  # a digit below it ends a number, the others carry five bits each


def packed(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return search documents by token: sorted tokens, each with the documents it stands in."""
    postings: dict[str, list[tuple[int, int]]] = {}
    for number, row in enumerate(rows):
        for token, weight in row["weights"].items():
            postings.setdefault(token, []).append((number, LEVELS.index(weight)))
    tokens = sorted(postings)
    return {
        "slugs": [row["slug"] for row in rows],
        "lengths": [row["length"] for row in rows],
        "levels": list(LEVELS),
        "tokens": " ".join(_shortened(tokens)),
        "postings": " ".join(_posting(postings[token]) for token in tokens),
    }


def _shortened(tokens: list[str]) -> Iterable[str]:
    last = ""
    for token in tokens:
        same = 0
        while same < min(len(last), len(token), len(DIGITS) - 1) and last[same] == token[same]:
            same += 1
        yield DIGITS[same] + token[same:]
        last = token


def _posting(found: list[tuple[int, int]]) -> str:
    out, last = [], -1
    for number, level in found:
        value = (number - last - 1) * len(LEVELS) + level
        last = number
        while value >= BASE:
            out.append(DIGITS[BASE + value % BASE])
            value //= BASE
        out.append(DIGITS[value])
    return "".join(out)
