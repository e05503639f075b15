"""A symptom: one message that several entries share."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from fixbook.book.fields import Line, Pattern, Slug, Text
from fixbook.book.parts import Aliases, _Model
from fixbook.text import _


class Symptom(_Model):
    """A message with several causes.

    Attributes:
        title: The message in a few words.
        summary: One sentence for search results.
        aliases: The words that people type for it.
        patterns: RE2-compatible patterns, each for one line of a log.
        text: What the message says, and what it does not.
        secondary: True if the message only notices a failure elsewhere; it never hides a cause.
        echo: True if all it notices is that another process has ended, as a closed connection
            does: it is named after the consequences that say more, such as a timeout.
    """

    title: Text
    summary: Text
    aliases: Aliases = Aliases()
    patterns: list[Pattern] = Field(min_length=1)
    text: Text
    secondary: bool = False
    echo: bool = False

    @model_validator(mode="after")
    def _echo_is_secondary(self) -> Self:
        if self.echo and not self.secondary:
            raise ValueError(_("an echo is a consequence: write secondary: true as well"))
        return self


class TestedArticle(_Model):
    """An article whose claims the book has put to the test."""

    id: Slug
    title: Line
    date: Line


class Sources(_Model):
    """All such articles."""

    sources: list[TestedArticle]
