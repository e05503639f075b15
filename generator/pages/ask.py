"""The box that takes an error, a log or a configuration; the same on every page that has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.text.templating import render

if TYPE_CHECKING:
    from generator.text.strings import Words

ASK = "<!-- ask -->"  # where a hand-written page wants it; its front matter says `ask: true`


def ask_box(words: Words) -> str:
    """Return the box as HTML.

    Args:
        words: Strings of the language.
    """
    return render("ask.html.j2", t=words, small=False, examples=[])
