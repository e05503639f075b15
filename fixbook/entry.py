"""The typed entry: one failure with one cause, in both languages.

Field names are the file format of ``recipes/<slug>/entry.yaml``; the same model is published as
JSON Schema (``fixbook schema``), so that editors complete and check it.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from fixbook.fields import SLUG, File, Line, Pattern, Slug, Text
from fixbook.i18n import _
from fixbook.languages import LANGS, Lang
from fixbook.proof import (
    Affected,
    Claim,
    Fails,
    LogFile,
    NotExecuted,
    Said,
    StepClaims,
)
from fixbook.rule import Rule

__all__ = [
    "LANGS",
    "SLUG",
    "Affected",
    "Claim",
    "Entry",
    "Fails",
    "Lang",
    "Line",
    "LogFile",
    "NotExecuted",
    "Pattern",
    "Said",
    "Slug",
    "StepClaims",
    "Text",
]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Signature(_Model):
    """A pattern that recognises this cause in one line of a log.

    Attributes:
        id: Its name.
        pattern: What the line contains, as an RE2 regular expression with some literal text.
        context: Patterns that must all be found somewhere in the log.
        unless: Patterns that must be found nowhere in it.
        captures: Groups of the pattern whose values are worth showing, with their names in words.
        overlaps: Entries on whose logs a hit is accepted.
    """

    id: Slug
    pattern: Pattern
    context: list[Pattern] = []
    unless: list[Pattern] = []
    captures: dict[str, Text] = {}
    overlaps: list[Slug] = []

    @model_validator(mode="after")
    def _captures_exist(self) -> Self:
        unknown = set(self.captures) - set(re.compile(self.pattern).groupindex)
        if unknown:
            what = _("captures {names} are not named groups of the pattern")
            raise ValueError(what.format(names=sorted(unknown)))
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
    """

    text: Text
    steps: list[Slug] = []


class Snippet(_Model):
    """Code that a reader is offered to copy, written once for both languages.

    Attributes:
        language: Its language; ``python`` and ``bash`` are executed as printed by a step,
            configurations are held against the tool's own check.
        code: The text.
        not_executed: Why no step executes it; shown beside the code.
    """

    language: Literal["python", "bash", "yaml", "json", "cpp", "text"] = "python"
    code: Line
    not_executed: Text | None = None

    @property
    def digest(self) -> str:
        """What evidence knows the text by: a short SHA-256."""
        return hashlib.sha256(self.code.encode()).hexdigest()[:16]


class Detect(_Model):
    """The first measurement: what tells this failure from its look-alikes.

    Attributes:
        text: What to measure, and what the answer means.
        snippet: The code that measures it.
        steps: The detect steps: one where it is found, one where it is not.
    """

    text: Text
    snippet: Slug | None = None
    steps: list[Slug] = Field(min_length=1)


class ConfigChange(_Model):
    """Whole configuration files before and after, valid for the named version of the tool.

    Attributes:
        tool: The tool, such as ``axolotl``.
        version: The release that the files were checked with.
        before: The file that fails, below the entry's folder.
        after: The file that works.
    """

    tool: Line
    version: Line
    before: File
    after: File


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
    """

    id: Slug
    title: Text
    text: Text
    trade_off: Text | None = None
    since: str | None = None
    snippet: Slug | None = None
    config: list[ConfigChange] = []


class NonFix(_Model):
    """Advice that circulates and does not help.

    Attributes:
        id: Its name; a step executes it with ``@non_fix("ID")``.
        title: The advice.
        text: Why it does not help.
        seen_in: References or sources that really give it.
    """

    id: Slug
    title: Text
    text: Text
    seen_in: list[Slug] = []


class Bar(_Model):
    """A measure worth drawing side by side, with its name in words.

    Attributes:
        measure: Name of the measure.
        label: What it is, with its unit.
        format: How to write it, see `fixbook.figures.show`.
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
    """

    id: Slug
    kind: Literal["issue", "pull-request", "source", "documentation", "post"]
    title: Line
    url: Annotated[str, Field(pattern=r"^https://\S+$")]


Category = Literal[
    "illegal-access",
    "out-of-memory",
    "hang",
    "checkpoint",
    "compile",
    "wrong-result",
    "precision",
    "distributed",
    "data",
    "installation",
    "host",
    "serving",
]


class Entry(_Model):
    """One failure with one cause.

    Attributes:
        title: The failure in the words of those who meet it, at most 70 characters.
        summary: One sentence: what happens, and what to do.
        categories: Where it is listed.
        projects: The libraries it is met in.
        status: ``retired`` for one that no longer matters; its page stays.
        added: The day it was written, such as 2026-11-21.
        aliases: The words that people type for it.
        affected: The versions that fail.
        not_executed: Releases that matter and could not be executed.
        claims: What is said of the cause, how sure each statement is; first the mechanism.
        signatures: Patterns that recognise it in a log.
        symptoms: Messages that it shares with other causes.
        symptom: What one sees; lines of logs in ``text`` blocks, verbatim.
        not_this_if: How to see that it is another problem.
        cause: Why it happens, in at most three short paragraphs.
        silent_twin: What the same defect does when nothing crashes.
        detect: How to make sure that it is this.
        snippets: Code that the page offers for copying, by name.
        fixes: Ways out; the first is the one to recommend.
        non_fixes: Advice that circulates and does not help.
        simulated: What is not real in steps, by name, where several say the same.
        steps: What each step of the recipe has to show, by its name.
        bars: Measures worth drawing; none for most entries.
        said: What articles said of it, held against what was found.
        config_rules: Combinations of settings that ``fixbook check`` reports.
        logs: Real logs that must lead here, two at least.
        references: Where facts come from.
    """

    title: Text
    summary: Text
    categories: list[Category] = Field(min_length=1)
    projects: list[Line] = Field(min_length=1)
    status: Literal["active", "retired"] = "active"
    added: dt.date
    aliases: Aliases = Aliases()
    affected: list[Affected] = []
    not_executed: list[NotExecuted] = []
    claims: list[Claim] = Field(min_length=1)
    signatures: list[Signature] = []
    symptoms: list[Shares] = []
    symptom: Text
    not_this_if: list[Text] = Field(min_length=1)
    cause: Text
    silent_twin: SilentTwin | None = None
    detect: Detect
    snippets: dict[Slug, Snippet] = {}
    fixes: list[Fix] = Field(min_length=1)
    non_fixes: list[NonFix] = []
    simulated: dict[Slug, Text] = {}
    steps: dict[Slug, StepClaims] = Field(min_length=1)
    bars: list[Bar] = []
    said: list[Said] = []
    config_rules: list[Rule] = []
    logs: list[LogFile] = Field(min_length=2)
    references: list[Reference] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        fields = ("claims", "signatures", "symptoms", "fixes", "non_fixes", "config_rules")
        for name in (*fields, "references"):
            ids = [item.id for item in getattr(self, name)]
            twice = sorted({item for item in ids if ids.count(item) > 1})
            if twice:
                what = _("{name} gives the id {id!r} twice")
                raise ValueError(what.format(name=name, id=twice[0]))
        if not (self.signatures or self.symptoms):
            raise ValueError(_("needs a signature or a shared symptom to be found by"))
        return self

    def title_of(self, step: str, target: str) -> Text | None:
        """Return what a step does: its own title, or that of the fix or non-fix it executes.

        Args:
            step: Name of the step.
            target: Id of the fix or non-fix; empty for the other kinds.
        """
        claims = self.steps.get(step)
        if claims is not None and claims.title is not None:
            return claims.title
        advices: list[Fix | NonFix] = [*self.fixes, *self.non_fixes]
        return next((advice.title for advice in advices if advice.id == target), None)

    def simulated_in(self, step: str) -> Text | None:
        """Return what is not real in a step, if anything."""
        claims = self.steps.get(step)
        named = claims.simulated if claims else None
        return self.simulated.get(named) if isinstance(named, str) else named
