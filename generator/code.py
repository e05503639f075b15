"""Code and logs as pages show them, and as plain Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.guard import guard
from generator.markup import attribute, inline

if TYPE_CHECKING:
    from fixbook.entry import Snippet
    from generator.strings import Words


@dataclass(frozen=True, slots=True)
class Code:
    """A block of code, or of a log.

    Attributes:
        text: What it holds.
        language: For highlighting.
        title: Shown above it; empty for none.
        marked: 1-based numbers of the lines to mark.
        note: Shown below it, as Markdown; empty for none.
    """

    text: str
    language: str = "text"
    title: str = ""
    marked: tuple[int, ...] = ()
    note: str = ""

    @property
    def block(self) -> str:
        """The block with what the layout of the site needs."""
        options = f" .{self.language or 'text'}"
        if self.marked and "\n" in self.text.rstrip():
            options += f' hl_lines="{" ".join(map(str, self.marked))}"'
        if self.title:
            options += f' title="{attribute(self.title)}"'
        below = f"\n\n{self.note}\n{{: .fb-hint }}" if self.note else ""
        return self._fenced(f" {{{options} }}") + below

    @property
    def plain(self) -> str:
        """The block as portable Markdown."""
        below = f"\n\n{self.note}" if self.note else ""
        return self._fenced("" if self.language == "text" else self.language) + below

    def _fenced(self, opening: str) -> str:
        text = guard(self.text)
        longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
        ticks = "`" * (longest + 1)
        return f"{ticks}{opening}\n{text.rstrip()}\n{ticks}"


def snippet_code(snippet: Snippet, words: Words) -> Code:
    """Return a snippet of an entry, with the reason if no step executes it."""
    reason = snippet.not_executed
    note = words("snippet_not_executed") + inline(reason.of(words.lang)) if reason else ""
    return Code(snippet.code, snippet.language, note=note)


def in_line(text: str) -> str:
    """Return code as Markdown within a sentence, whatever signs it holds."""
    ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{room}{guard(text)}{room}{ticks}"


def code_block(code: str, language: str = "") -> str:
    """Return a fenced code block whose fence no line of the code can end."""
    return Code(code, language or "text").block
