"""Lines of prose: broken after sentences where a text is written, joined where it is read.

A text of an entry stands in its file with a sentence a line. Chinese has no blanks between its
sentences, so a line break beside a Chinese character stands for nothing, any other for a blank.
Blocks that Markdown reads line by line (code, tables, lists) keep their lines.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"\s*(?:[-*+>]\s+|\d{1,3}[.)]\s+)*(`{3,}|~{3,})")
# What begins a block of its own: list items, quotes, headings, tables, HTML, definitions.
_BLOCK = re.compile(r"\s*(?:[-*+]\s|\d{1,3}[.)]\s|[>#|<:]|!!!|\?\?\?)|\s{4,}|\s*$")
_HARD = re.compile(r"(?: {2,}|\\)$")
_MARKER = re.compile(r"\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?")
_UNBROKEN = re.compile(r"`+[^`]*`+|\{\{[^}]*\}\}|\[[^\]]*\]\([^)]*\)|https?://\S+|\*\*[^*]*\*\*")
_SENTENCE = re.compile(r"[。！？][”’」』）]*|[.!?][\"')\]]*(?= )")
_CLAUSE = re.compile(r"[，；：、—]|[,;:](?= )")
# Latin letters, figures, code and measures; not what shows as a title in quotation marks or a sign.
_LATIN = re.compile(r"[A-Za-z0-9`]|\{\{(?![a-z]+:)")
_PLACEHOLDER = re.compile(r"\{\{([a-z]+:)?[^{}]*\}\}$")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|etc|No|approx)|\b\d+)\.$")


def columns(text: str) -> int:
    """Return how many columns a text takes in a terminal: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def join_lines(text: str) -> str:
    """Join the lines of each paragraph; blocks that Markdown reads by lines stay.

    Args:
        text: Markdown.
    """
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            lines.append(line)
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            lines.append(line)
            fence = mark[1]
        elif lines and _continues(lines[-1], line):
            lines[-1] += _between(lines[-1], line.lstrip()) + line.lstrip()
        else:
            lines.append(line)
    return "\n".join(lines)


def break_lines(text: str, width: int) -> str:
    """Write a sentence a line, and break sentences that are longer than a line.

    Args:
        text: Markdown whose paragraphs are one line each.
        width: Columns of a line.

    Returns:
        A text that `join_lines` turns into the one given. Where a line cannot be broken so, it
        stays as long as it is.
    """
    broken: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence or mark:
            broken.append(line)
            fence = ("" if mark and mark[1].startswith(fence) else fence) if fence else mark[1]  # type: ignore[index]
        else:
            broken.extend(_broken(line, width))
    result = "\n".join(broken)
    return result if join_lines(result) == text else text


def _continues(before: str, line: str) -> bool:
    """Tell whether a line goes on with the paragraph, or the item, of the line before."""
    table = before.lstrip().startswith(("|", "#", "<", "!!!", "???"))
    indented = before.startswith("    ") and not _MARKER.match(before)
    if not before.strip() or table or indented or _FENCE.match(before) or _HARD.search(before):
        return False
    if line.startswith("  ") and before.lstrip()[:1] in "-*+0123456789":
        line = line.lstrip()  # the continuation of an item is indented
    return not _BLOCK.match(line)


def _between(before: str, after: str) -> str:
    """Return what a line break between two texts stands for.

    Han characters stand apart from Latin letters, figures and code, and close to punctuation; a
    mark and a link, whose title stands in quotation marks, stand close too.
    """
    if not _chinese(before[-1]) and not _chinese(after[0]):
        return " "
    apart = (_han(before[-1]) and _LATIN.match(after)) or (_han(after[0]) and _latin_end(before))
    return " " if apart else ""


def _chinese(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"


def _han(char: str) -> bool:
    return _chinese(char) and char.isalpha()


def _latin(char: str) -> bool:
    return not _chinese(char) and char.isalnum()


def _latin_end(text: str) -> bool:
    placeholder = _PLACEHOLDER.search(text)
    return not placeholder[1] if placeholder else text[-1] == "`" or _latin(text[-1])


def _broken(line: str, width: int) -> Iterator[str]:
    """Yield the lines of one paragraph or item."""
    marker = _MARKER.match(line)
    indent = " " * len(marker[0]) if marker and marker[0].strip() else ""
    start = 0
    pieces = [*_sentence_ends(line), len(line)]
    for end in pieces:
        sentence = line[start:end].strip(" ") if start else line[start:end].rstrip(" ")
        start = end
        yield from _filled(sentence, width, indent if end != pieces[0] else "", indent)


def _sentence_ends(line: str) -> list[int]:
    whole = [found.span() for found in _UNBROKEN.finditer(line)]
    return [
        found.end()
        for found in _SENTENCE.finditer(line)
        if found.end() < len(line.rstrip())
        and not _ABBREVIATION.search(line[: found.end()])
        and _breaks(line, found.end(), whole)
    ]


def _breaks(line: str, at: int, whole: list[tuple[int, int]]) -> bool:
    """Tell whether a line may be broken at a place, and joined again to what it was."""
    if any(start < at < end for start, end in whole):
        return False
    before, after = line[:at].rstrip(" "), line[at:].lstrip(" ")
    if (
        not before.strip()
        or not after
        or _HARD.search(line[:at] + " " * line[at:].startswith("  "))
    ):
        return False
    again = before + _between(before, after) + after
    return again == line and not _BLOCK.match(after) and not _FENCE.match(after)


def _filled(sentence: str, width: int, first: str, rest: str) -> Iterator[str]:
    """Yield the lines of one sentence: broken after clauses, else after words."""
    indent = first
    while columns(indent + sentence) > width:
        at = _best_break(sentence, width - columns(indent))
        if at is None:
            break
        yield indent + sentence[:at].rstrip(" ")
        sentence, indent = sentence[at:].lstrip(" "), rest
    yield indent + sentence


def _best_break(sentence: str, width: int) -> int | None:
    whole = [found.span() for found in _UNBROKEN.finditer(sentence)]
    taken, fits = 0, list[int]()
    for at, char in enumerate(sentence):
        if taken > width and fits:
            break
        if at and _breaks(sentence, at, whole):
            fits.append(at)
        taken += columns(char)
        if taken > width and fits:
            break
    clauses = [at for at in fits if _CLAUSE.match(sentence[:at].rstrip(" ")[-1])]
    late = [at for at in clauses if columns(sentence[:at]) > width // 2]
    words = [at for at in fits if sentence[at - 1 : at] == " " or sentence[at : at + 1] == " "]
    best = late or words or clauses or fits
    return best[-1] if best else None
