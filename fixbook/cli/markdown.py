"""Markdown of pages for a terminal: prose is wrapped, code stands as it is, to be copied.

It knows what pages consist of: headings, paragraphs, lists, tables, fenced code, and in a line
code, stress and links. A library for all of Markdown takes longer to import than all else that
showing a page takes, and breaks the lines of code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from fixbook.cli.wrapping import cells, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FENCE = re.compile(r"( *)(`{3,}|~{3,})(\w*)\s*$")
_HEADING = re.compile(r"(#{1,6}) (.*)")
_ITEM = re.compile(r"( *)(?:[-*+]|(\d{1,3}[.)])) +(.*)")
_RULE = re.compile(r"\|(?: *:?-+:? *\|)+\s*$")
_COLUMN = re.compile(r"(?<!\\)\|")
_INLINE = re.compile(
    r"(?P<ticks>`+)(?P<code>.+?)(?P=ticks)(?!`)|\*\*(?P<bold>.+?)\*\*|\*(?=[^*\s])(?P<italic>(?:`[^`]*`|[^*`])+)\*"
    r"|\[(?P<text>(?>`[^`]+`|[^\[\]])++)\]\((?P<to>[^)\s]+)\)"
)
_GAP = 2
_LEAST = 8  # cells of a column
_INDENT = "  "  # of code
_STYLES: dict[str, dict[str, Any]] = {
    "": {},
    "bold": {"bold": True},
    "italic": {"italic": True},
    "code": {"fg": "cyan"},
    "title": {"bold": True, "underline": True},
    "+": {"fg": "green"},
    "-": {"fg": "red"},
}
_Run = tuple[str, str]  # text, and the name of its style


@dataclass(frozen=True, slots=True)
class Terminal:
    """What a page is shown on.

    Attributes:
        width: Cells of a line.
        coloured: Whether text may have colours; without them, code and headings keep their marks.
    """

    width: int
    coloured: bool = False

    def text(self, markdown: str) -> str:
        """Return a page as the terminal shows it.

        Args:
            markdown: The page, each paragraph on a line of its own.
        """
        return "\n".join(self._lines(markdown.split("\n")))

    def _lines(self, given: Sequence[str]) -> Iterator[str]:
        rest, indent = iter(given), ""
        table: list[str] = []
        for line in rest:
            if line.startswith("|"):
                table.append(line)
                continue
            if table:
                yield from self._table(table)
                table = []
            fence, heading, item = (one.match(line) for one in (_FENCE, _HEADING, _ITEM))
            if fence:
                yield from self._code(fence, rest)
            elif heading:
                indent = ""
                yield self._heading(*heading.groups())
            elif item:
                before = item[1] + (f"{item[2]} " if item[2] else "• ")
                indent = " " * len(before)
                yield from self._filled(self._runs(item[3]), self.width, before, indent)
            else:
                indent = indent if line.startswith(" ") or not line.strip() else ""
                yield from self._filled(self._runs(line.strip()), self.width, indent, indent)
        yield from self._table(table)

    def _heading(self, marks: str, text: str) -> str:
        if not self.coloured:
            return f"{marks} " + "".join(part for part, _ in self._runs(text))
        style = "title" if len(marks) == 1 else "bold"
        return self._styled([(part, name or style) for part, name in self._runs(text)])

    def _code(self, fence: re.Match[str], rest: Iterator[str]) -> Iterator[str]:
        for line in rest:
            if line.strip() == fence[2]:
                return
            code = line.removeprefix(fence[1])
            style = code[:1] if fence[3] == "diff" and code[:1] in {"+", "-"} else ""
            yield self._styled([(_INDENT + code, style)]) if code.strip() else ""

    def _runs(self, text: str) -> list[_Run]:
        """Split a line into texts with their styles."""
        runs: list[_Run] = []
        done = 0
        for found in _INLINE.finditer(text):
            runs.append((text[done : found.start()], ""))
            done = found.end()
            runs += self._run(found)
        return [run for run in (*runs, (text[done:], "")) if run[0]]

    def _run(self, found: re.Match[str]) -> list[_Run]:
        kind = found.lastgroup
        if kind == "code":
            return [(found["code"].strip() if self.coloured else found[0], "code")]
        if kind == "to":
            to = f" <{found['to']}>" if "://" in found["to"] else ""
            return [*self._runs(found["text"]), (to, "")]
        inner = self._runs(found[kind or 0])
        return [(part, name or str(kind)) for part, name in inner]

    def _filled(self, runs: list[_Run], width: int, first: str, rest: str) -> Iterator[str]:
        """Fill lines of a width; what has no blank, as an address, stays whole."""
        styles = [name for text, name in runs for _ in text]
        plain = "".join(text for text, _ in runs)
        line: list[_Run] = [(first, "")]
        used, at = len(first), 0
        for piece in pieces(plain):
            if used + cells(piece) > width and at and len(line) > 1:
                yield self._styled(line).rstrip()
                line, used = [(rest, "")], len(rest)
            if not (piece.isspace() and len(line) == 1):
                shown = zip(piece, styles[at : at + len(piece)], strict=True)
                line += shown
                used += cells(piece)
            at += len(piece)
        yield self._styled(line).rstrip()

    def _styled(self, runs: Sequence[_Run]) -> str:
        if not self.coloured:
            return "".join(text for text, _ in runs)
        said, last = "", ""
        kept = ""
        for text, name in (*runs, ("", "\n")):
            if name != last and kept:
                said += click.style(kept, **_STYLES[last]) if last else kept
                kept = ""
            kept, last = kept + text, name
        return said

    def _table(self, lines: Sequence[str]) -> Iterator[str]:
        rows = [self._cells(line) for line in lines if not _RULE.match(line)]
        if not rows:
            return
        widths = self._widths(rows)
        for number, row in enumerate(rows):
            shown = [[*self._filled(runs, w, "", "")] for runs, w in zip(row, widths, strict=False)]
            for level in range(max(map(len, shown))):
                texts = [part[level] if level < len(part) else "" for part in shown]
                yield self._row(texts, widths)
            if not number:
                yield "─" * (sum(widths) + _GAP * (len(widths) - 1))

    def _cells(self, line: str) -> list[list[_Run]]:
        parts = _COLUMN.split(line.strip().removeprefix("|").removesuffix("|"))
        return [self._runs(part.strip().replace("\\|", "|")) for part in parts]

    def _widths(self, rows: Sequence[Sequence[list[_Run]]]) -> list[int]:
        """Give each column what it needs; the widest ones less where that is too much."""
        needs = [
            max(sum(cells(text) for text, _ in runs) for runs in column)
            for column in zip(*rows, strict=False)
        ]
        room = self.width - _GAP * (len(needs) - 1)
        while sum(needs) > room and max(needs) > _LEAST:
            widest = max(range(len(needs)), key=needs.__getitem__)
            needs[widest] -= 1
        return needs

    def _row(self, texts: Sequence[str], widths: Sequence[int]) -> str:
        filled = (
            text + " " * (width - cells(click.unstyle(text)) + _GAP)
            for text, width in zip(texts, widths, strict=False)
        )
        return "".join(filled).rstrip()
