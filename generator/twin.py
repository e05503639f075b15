"""The Markdown twin of a page: the same text without what only the site's layout needs."""

from __future__ import annotations

import re

_FENCE = re.compile(r"^\s*(`{3,})(?P<name>[\w+-]*) ?(?:\{(?P<options>[^}]*)\})?\s*$")
_ATTRIBUTES = re.compile(r"\s*\{:\s[^{}]*\}")
_TAGS = re.compile(r"</?(?:div|span|form|input|button|p|details)\b[^>]*>")
_SUMMARY = re.compile(r"<summary>(.*?)</summary>")
_PAGE = re.compile(r"\]\((\.\.(?:/[\w-]+)+?)(?:/index)?\.md(#[\w-]*)?")
_TAB = re.compile(r'^=== "(.*)"$')
_INDENT = 4
_BARS = '<div class="fb-bars"'


def twin(text: str) -> str:
    """Return a page's Markdown as plain, portable Markdown.

    Args:
        text: The page, with front matter, attribute lists, tabs and HTML of the layout.
    """
    body = text.split("---\n", 2)[2]
    out: list[str] = []
    fence = ""
    tabs: list[str] = []  # the open ones, each inside the one before
    for line in body.splitlines():
        if line.strip() and not fence:
            del tabs[(len(line) - len(line.lstrip(" "))) // _INDENT :]
        margin = _INDENT * len(tabs)
        cleaned = line[margin:] if not line[:margin].strip() else line
        opening = _FENCE.match(cleaned)
        if fence:
            fence = "" if cleaned.strip() == fence else fence
            out.append(cleaned)
        elif opening:
            fence = opening[1]
            out.append(_plain_fence(cleaned, opening))
        elif line.startswith(_BARS) or re.match(r"<(?:input|button)", line):
            continue  # a picture of the table that follows; a search box
        elif tab := _TAB.match(cleaned):
            tabs.append(tab[1])
            out.append(f"**{' · '.join(tabs)}**")
        elif (said := _plain_line(cleaned)) or (out and out[-1]):
            out.append(said)
    return "\n".join(out).strip() + "\n"


def _plain_fence(line: str, opening: re.Match[str]) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    language = re.search(r"\.([\w+-]+)", opening["options"] or "")
    name = language[1] if language else opening["name"]
    name = "" if name == "text" else name
    return f"{indent}{opening[1]}{name}"


def _plain_line(line: str) -> str:
    line = _SUMMARY.sub(r"**\1**", line)
    line = _PAGE.sub(r"](\1/\2", _ATTRIBUTES.sub("", line))
    return _TAGS.sub("", line).rstrip().replace("<br>", ", ")
