"""Code and logs as pages show them, and as plain Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.text.guard import guard
from generator.text.markup import attribute, inline

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.book import Snippet, Text
    from generator.text.strings import Words


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


def snippet_code(snippet: Snippet, yours: Mapping[str, Text], words: Words) -> Code:
    """Return a snippet of an entry, with what is to be the reader's own, and why it did not run.

    Args:
        snippet: The snippet.
        yours: What of the entry's code is the reader's own, by name.
        words: Strings of the language.
    """
    own = [f"`{literal}` ({yours[name].of(words.lang)})" for literal, name in snippet.fills.items()]
    notes = [words("your_own") + words("comma").join(own)] if own else []
    if snippet.not_executed:
        notes.append(words("snippet_not_executed") + inline(snippet.not_executed.of(words.lang)))
    return Code(snippet.code_in(words.lang), snippet.language, note=" ".join(notes))


def in_line(text: str) -> str:
    """Return code as Markdown within a sentence, whatever signs it holds."""
    ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{room}{guard(text)}{room}{ticks}"


def code_block(code: str, language: str = "") -> str:
    """Return a fenced code block whose fence no line of the code can end."""
    return Code(code, language or "text").block


def portable_block(code: str, language: str = "") -> str:
    """Return the same as portable Markdown."""
    return Code(code, language or "text").plain
