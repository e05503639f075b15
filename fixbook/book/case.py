"""When a piece of advice is the one: what the reader's log holds, as data.

``when`` of a fix, of a non-fix or of ``detect`` is a list of cases, of which one is enough; all
conditions of a case have to hold. A log may leave a condition open: then so is the case.
"""

from __future__ import annotations

import re
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, Field, model_validator

from fixbook.book.fields import Line, Number, Pattern, Range, Slug, Text
from fixbook.book.strict import BY_NAME
from fixbook.text import _

_PLAIN = re.compile(r"(?:[<>=!~]=|[<>])\d+(?:\.\d+)*|[=]=\d+(?:\.\d+)*\.\*", re.ASCII)


def _releases(text: str) -> str:
    """Refuse what only a whole implementation of PEP 440 could compare."""
    clauses = "".join(text.split()).split(",")
    if not all(_PLAIN.fullmatch(clause) for clause in clauses if clause):
        raise ValueError(_("must compare releases alone, such as '>=4.43,<4.46'"))
    return text


Releases = Annotated[Range, AfterValidator(_releases)]


class _Model(BaseModel):
    model_config = BY_NAME


class Value(_Model):
    """What a value of the log has to be; of several tests all hold.

    Attributes:
        is_: The value.
        in_: Values of which it is one.
        matches: A pattern that it contains.
        over: A number below it.
        under: A number above it.
        of: Another captured value of which ``over`` and ``under`` are multiples: ``over: 0.8, of:
            total`` holds if the value is more than four fifths of ``total``.
    """

    is_: Line | None = Field(default=None, alias="is")
    in_: list[Line] = Field(default=[], alias="in")
    matches: Pattern | None = None
    over: Number | None = None
    under: Number | None = None
    of: Line | None = None

    @model_validator(mode="after")
    def _tests_something(self) -> Self:
        tests = (self.is_, self.in_ or None, self.matches, self.over, self.under)
        if all(test is None for test in tests):
            raise ValueError(_("tests nothing: write is, in, matches, over or under"))
        if self.of and self.over is None and self.under is None:
            raise ValueError(_("'of' needs over or under, which are multiples of it"))
        return self


class Case(_Model):
    """What a log shows where a piece of advice is the one; at least one condition.

    Attributes:
        says: What the reader's message shows, in a few words of his: the first column of the
            table "your message shows … → do …".
        captures: Tests of values that signatures capture, by the name of the group.
        log: Patterns that all stand in some line of the log.
        unless: Patterns that stand in none. Alone they decide nothing.
        frames: Libraries; the traceback of the error leads through one of them.
        unless_frames: Libraries; the traceback of the error leads through none of them, such as
            where the caller is the reader's own code. A log without a traceback leaves it open.
        library: Libraries; the deepest one of the traceback is among them.
        versions: Ranges of versions, by package, that the log prints.
        tool: The tool that was used; the log names it.
        ranks: A test of how many ranks showed the failure.
    """

    says: Text
    captures: dict[str, Value] = {}
    log: list[Pattern] = []
    unless: list[Pattern] = []
    frames: list[Line] = []
    unless_frames: list[Line] = []
    library: list[Line] = []
    versions: dict[Line, Releases] = {}
    tool: Slug | None = None
    ranks: Value | None = None

    @model_validator(mode="after")
    def _can_be_met(self) -> Self:
        tested = (self.captures, self.log, self.frames, self.unless_frames, self.library)
        if not any((*tested, self.versions, self.tool, self.ranks)):
            raise ValueError(_("needs a condition that a log can meet"))
        return self

    def names(self) -> set[str]:
        """Return the names of the captured values that it asks for."""
        return {*self.captures, *(one.of for one in self.captures.values() if one.of)}
