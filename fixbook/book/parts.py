"""The parts of an entry that a reader meets: signatures, advice, snippets, references."""

from __future__ import annotations

import hashlib
import re
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, model_validator

from fixbook.book.case import Case
from fixbook.book.fields import ConfigFile, Group, Line, Name, Pattern, Slug, Text
from fixbook.book.strict import STRICT
from fixbook.text import Lang, _


class _Model(BaseModel):
    model_config = STRICT


class Signature(_Model):
    """A pattern that recognises this cause in one line of a log.

    Attributes:
        id: Its name.
        pattern: What the line contains, as an RE2 regular expression with some literal text.
        context: Patterns that must all be found somewhere in the log.
        unless: Patterns that must be found nowhere in it.
        same: Groups that have to agree between two ranks; see ``differ``.
        differ: Groups of which one has to differ between two ranks that agree in ``same``; without
            such a pair of lines there is no match.
        captures: Groups of the pattern whose values are worth showing, with their names in words.
        overlaps: Entries on whose logs a hit is accepted.
    """

    id: Slug
    pattern: Pattern
    context: list[Pattern] = []
    unless: list[Pattern] = []
    same: list[str] = []
    differ: list[str] = []
    captures: dict[str, Text] = {}
    overlaps: list[Slug] = []

    @model_validator(mode="after")
    def _groups_exist(self) -> Self:
        groups = re.compile(self.pattern).groupindex
        unknown = {*self.captures, *self.same, *self.differ}.difference(groups)
        if unknown:
            what = _("{names} are not named groups of the pattern")
            raise ValueError(what.format(names=sorted(unknown)))
        if self.same and not self.differ:
            raise ValueError(_("'same' without 'differ' compares nothing"))
        return self


class Shares(_Model):
    """A message shared with other causes.

    Attributes:
        id: The message: a file of ``symptoms/``.
        ask: The question whose "yes" leads here.
    """

    id: Slug
    ask: Text


class SilentTwin(_Model):
    """What the same defect does when nothing crashes.

    Attributes:
        text: What it does.
        steps: The steps that show it.
        beside: Steps of other parts whose measures its texts compare with.
    """

    text: Text
    steps: list[Slug] = []
    beside: list[Slug] = []


class Snippet(_Model):
    """Code that a reader is offered to copy, written once for both languages.

    Attributes:
        language: Its language; ``python`` and ``bash`` are executed as printed by a step,
            configurations are held against the tool's own check.
        code: The text.
        not_executed: Why no step executes it; shown beside the code.
        fills: Literals of the code that are the reader's own, each with its name under ``yours``
            of the entry. Steps execute the literal; an answer puts the reader's value there.
        comments: Its comments in Chinese, for Chinese pages, by their English text without ``#``.
    """

    language: Literal["python", "bash", "yaml", "json", "cpp", "text"] = "python"
    code: Line
    not_executed: Text | None = None
    fills: dict[Line, Group] = {}
    comments: dict[Line, Line] = {}

    @model_validator(mode="after")
    def _comments_are_there(self) -> Self:
        absent = [text for text in self.comments if f"# {text}" not in self.code]
        if absent:
            raise ValueError(_("has no comment '# {text}'").format(text=absent[0]))
        return self

    def code_in(self, lang: Lang) -> str:
        """Return the code with its comments in a language; what it runs is the same."""
        code = self.code
        for text, chinese in self.comments.items() if lang == "zh" else ():
            lines = (_replaced(line, f"# {text}", f"# {chinese}") for line in code.split("\n"))
            code = "\n".join(lines)
        return code

    @property
    def digest(self) -> str:
        """What evidence knows the text by: a short SHA-256."""
        return hashlib.sha256(self.code.encode()).hexdigest()[:16]


def _replaced(line: str, end: str, new: str) -> str:
    return line.removesuffix(end) + new if line.endswith(end) else line


class Detect(_Model):
    """The first measurement: what tells this failure from its look-alikes.

    Attributes:
        text: What to measure, and what the answer means.
        snippet: The code that measures it.
        steps: The detect steps: one where it is found, one where it is not.
        when: What a log shows where it is the way to measure; any log, if there is none.
        beside: Steps of other parts whose measures its texts compare with.
    """

    text: Text
    snippet: Slug | None = None
    when: list[Case] = []
    steps: list[Slug] = Field(min_length=1)
    beside: list[Slug] = []


class ConfigChange(_Model):
    """Whole configuration files before and after, valid for the named version of the tool.

    Attributes:
        tool: The tool, such as ``axolotl``.
        version: The release that the files were checked with.
        before: The file that fails, below the entry's folder.
        after: The file that works.
        fills: Literals of it that are the reader's own; see ``fills`` of a snippet.
    """

    tool: Name
    version: Line
    before: ConfigFile
    after: ConfigFile
    fills: dict[Line, Group] = {}


class Fix(_Model):
    """A way out that was executed. The first of an entry is the one it recommends.

    Attributes:
        id: Its name; a step executes it with ``@fix("ID")``.
        title: What to do, in a few words.
        text: What to do.
        trade_off: What it costs.
        since: The release from which on it exists.
        snippet: The code to copy.
        config: The same change in whole configuration files, for each tool where it can occur.
        when: What a log shows where this is the fix. Fixes whose case is met come first in an
            answer, those whose case is refuted last.
        beside: Steps of other parts whose measures its texts compare with.
    """

    id: Slug
    title: Text
    text: Text
    trade_off: Text | None = None
    since: str | None = None
    snippet: Slug | None = None
    config: list[ConfigChange] = []
    when: list[Case] = []
    beside: list[Slug] = []


class NonFix(_Model):
    """Advice that circulates and does not help.

    Attributes:
        id: Its name; a step executes it with ``@non_fix("ID")``.
        title: The advice.
        text: Why it does not help.
        seen_in: References or sources that really give it.
        when: What a log shows where a reader would be led to it; an answer then warns of it.
        beside: Steps of other parts whose measures its texts compare with.
    """

    id: Slug
    title: Text
    text: Text
    seen_in: list[Slug] = []
    when: list[Case] = []
    beside: list[Slug] = []


class Names(_Model):
    """Names that changed, and what each release does with them: the page shows a table.

    Attributes:
        package: The package whose releases are told apart.
        steps: Steps that asked a release each, oldest first. Each returns ``names``, rows of
            ``name`` and ``does``: ``takes``, ``warns``, ``drops`` (in silence) or ``refuses``.
        now: What each name is today; empty for one without a successor. An answer fills
            ``{{yours:now}}`` with that of the captured group ``name``.
    """

    package: Line
    steps: list[Slug] = Field(min_length=2)
    now: dict[Line, str] = Field(min_length=1)


class Bar(_Model):
    """A measure worth drawing side by side, with its name in words.

    Attributes:
        measure: Name of the measure.
        label: What it is, with its unit.
        format: How to write it, see `fixbook.text.show_figure`.
    """

    measure: Line
    label: Text
    format: str = ""


class Aliases(_Model):
    """The words that people type for a failure, in both languages.

    Attributes:
        zh: Chinese ones.
        en: English ones.
    """

    zh: list[Line] = []
    en: list[Line] = []


class Reference(_Model):
    """Where a fact comes from.

    Attributes:
        id: Its name within the entry.
        kind: What it is.
        title: Its title there.
        url: Its address.
        zh: What it says, in a few Chinese words, for Chinese pages.
    """

    id: Slug
    kind: Literal["issue", "pull-request", "source", "documentation", "post"]
    title: Line
    url: Annotated[str, Field(pattern=r"^https://[^\s<>\"'`{}|\\^\[\]]+$")]
    zh: Line | None = None

    def named(self, lang: Lang) -> str:
        """Return its title, and on Chinese pages what it says."""
        return f"{self.zh}（{self.title}）" if lang == "zh" and self.zh else self.title
