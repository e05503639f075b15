"""Small Markdown building blocks, and what entry texts need before Python-Markdown reads them."""

from __future__ import annotations

import html
import re

from generator.text.marks import without

_ITEM = re.compile(r"(?P<indent> *)(?P<marker>(?:[-*+]|\d{1,3}[.)])\s+)(?=\S)")
_FENCE = re.compile(r" *(?P<fence>`{3,}|~{3,})")
_TAB = 4
TITLE = 70  # characters of a title in a list of results, as search engines cut it
_BREAK = re.compile(r" |(?<=[\u3400-\u9fff])(?=[\u3400-\u9fff])")


def block(text: str) -> str:
    """Adapt Markdown as people write it to the dialect of Python-Markdown.

    Lists may follow a paragraph without an empty line, and what belongs to an item may be indented
    as far as the item's text: both are common, and both are lost on Python-Markdown.
    """
    out: list[str] = []
    columns: list[int] = []  # where the text of each open list item begins
    fence = ""
    for line in text.strip("\n").splitlines():
        indent = len(line) - len(line.lstrip(" "))
        opening = _FENCE.match(line)
        item = None if fence else _ITEM.match(line)
        if not line.strip():
            out.append("")
            continue
        if not fence and (item or not out or not out[-1].strip()):
            while columns and indent < columns[-1]:
                columns.pop()
        if item and not columns and out and out[-1].strip():
            out.append("")
        depth, base = len(columns), columns[-1] if columns else 0
        out.append(" " * (_TAB * depth + max(0, indent - base)) + line.lstrip(" "))
        if item:
            columns.append(indent + len(item["marker"]))
        if opening:
            fence = _after(fence, opening["fence"])
    return "\n".join(out)


def _after(open_fence: str, seen: str) -> str:
    if not open_fence:
        return seen
    return "" if seen.startswith(open_fence) else open_fence


def inline(text: str) -> str:
    """Make a text fit one line, and one cell of a table."""
    flat = " ".join(block(text).split())
    return re.sub(r"(?<!\\)\|", r"\\|", flat)


def plain(text: str) -> str:
    """Return a text without Markdown and marks, for titles, descriptions and attributes."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(\*\*|__)(.+?)\1", r"\2", text)
    text = re.sub(r"(?<![\w*])\*([^*\n]+)\*(?![\w*])", r"\1", text)
    return " ".join(without(text).replace("`", "").split())


def short(text: str, most: int = TITLE) -> str:
    """Return a text as a title: plain, and cut between two words where it is too long."""
    flat = plain(text)
    if len(flat) <= most:
        return flat
    words = [match.start() for match in _BREAK.finditer(flat) if match.start() < most]
    return flat[: words[-1] if words else most - 1].rstrip(" ,;:，；：") + "…"


def attribute(text: str) -> str:
    """Escape plain text for an HTML attribute or element."""
    return html.escape(plain(text), quote=True)


def verbatim(text: str) -> str:
    """Escape a text of any lines for an HTML attribute or element, with no Markdown in it."""
    return html.escape(text, quote=True).replace("\n", "&#10;")


def indented(text: str, spaces: int = _TAB) -> str:
    """Indent every line, to place a block inside a list item or a tab."""
    return "\n".join(" " * spaces + line if line.strip() else "" for line in text.splitlines())


def item(text: str) -> str:
    """Return a text as one list item."""
    return "-   " + indented(block(text)).lstrip()
