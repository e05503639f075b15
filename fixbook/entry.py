"""The typed entry: one failure with one cause, in both languages.

Field names are the file format of ``recipes/<slug>/entry.yaml``; the same model is published as
JSON Schema (``fixbook schema``), so that editors complete and check it.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from fixbook.config_rule import ConfigRule
from fixbook.fields import SLUG, ConditionText, Line, Pattern, Range, Slug, Text
from fixbook.languages import LANGS, Lang

__all__ = ["LANGS", "SLUG", "Entry", "Lang", "Line", "Pattern", "Slug", "Text"]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Affected(_Model):
    """A package and the versions that have the defect."""

    package: Line
    range: Range
    fixed_in: str | None = None
    note: Text | None = None


class NotExecuted(_Model):
    """A release that matters here and could not be executed."""

    package: Line
    version: Line
    reason: Text


class Certainty(_Model):
    """How sure the cause is, and of what exactly."""

    level: Literal["proven", "upstream", "inferred", "unknown"]
    of: Text


class Signature(_Model):
    """A pattern that recognises this cause in one line of a log.

    ``context`` patterns must all be found somewhere in the log, ``unless`` patterns nowhere.
    ``captures`` names the groups of ``pattern`` whose values are worth showing.
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
            raise ValueError(f"captures {sorted(unknown)} are not named groups of the pattern")
        return self


class Shares(_Model):
    """A message shared with other causes, and the question whose 'yes' leads here."""

    id: Slug
    ask: Text


class SilentTwin(_Model):
    """What the same defect does when nothing crashes."""

    text: Text
    steps: list[Slug] = []


class Detect(_Model):
    """The first measurement, as code to paste."""

    text: Text
    code: str
    language: str = "python"
    steps: list[Slug] = Field(min_length=1)


class ConfigChange(_Model):
    """Whole configuration files before and after, valid for the named version of the tool."""

    tool: Line
    version: Line
    before: Line
    after: Line


class Fix(_Model):
    """A way out that was executed."""

    id: Slug
    title: Text
    text: Text
    trade_off: Text
    since: str | None = None
    code: str | None = None
    language: str = "python"
    config: list[ConfigChange] = []


class NonFix(_Model):
    """Advice that circulates and does not help."""

    id: Slug
    title: Text
    text: Text
    seen_in: list[Slug] = []


class Fails(_Model):
    """How a step fails: its exit, a pattern in its log, and what its log is recognised as."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    exit: Literal["nonzero", "signal", "timeout", "any"] = "nonzero"
    log: Pattern | None = None
    symptom: Slug | None = Field(default=None, alias="as")


class StepClaims(_Model):
    """What the entry says of a step: the suite holds every run against it."""

    title: Text
    fails: Fails | None = None
    expect: dict[str, ConditionText] = {}
    simulated: Text | None = None
    slow: Text | None = None


class Claim(_Model):
    """Something a source says, and what was found when it was executed."""

    source: Slug
    said: Text
    verdict: Literal["confirmed", "partly", "wrong", "unsupported"]
    found: Text
    see: Annotated[str, Field(pattern=r"^(fix:|non_fix:|detect$|cause$|signature$|silent_twin$)")]


class LogFile(_Model):
    """A real log that must lead to this entry, or to a shared symptom it is a cause of."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    file: Line
    source: Line
    symptom: Slug | None = Field(default=None, alias="as")


class Reference(_Model):
    """Where a fact comes from."""

    id: Slug
    kind: Literal["issue", "pull-request", "source", "documentation", "post"]
    title: Line
    url: Annotated[str, Field(pattern=r"^https://\S+$")]


class Entry(_Model):
    """One failure with one cause."""

    title: Text
    summary: Text
    category: Literal[
        "illegal-access", "out-of-memory", "hang", "checkpoint", "compile", "wrong-result"
    ]
    projects: list[Line] = Field(min_length=1)
    status: Literal["active", "retired"] = "active"
    added: dt.date
    affected: list[Affected] = []
    not_executed: list[NotExecuted] = []
    certainty: Certainty
    signatures: list[Signature] = []
    symptoms: list[Shares] = []
    symptom: Text
    fix_now: Text
    not_this_if: list[Text] = Field(min_length=1)
    cause: Text
    silent_twin: SilentTwin
    detect: Detect
    fixes: list[Fix] = Field(min_length=1)
    non_fixes: list[NonFix] = []
    steps: dict[Slug, StepClaims] = Field(min_length=1)
    claims: list[Claim] = []
    config_rules: list[ConfigRule] = []
    logs: list[LogFile] = Field(min_length=2)
    references: list[Reference] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        for name in ("signatures", "symptoms", "fixes", "non_fixes", "config_rules", "references"):
            ids = [item.id for item in getattr(self, name)]
            twice = sorted({item for item in ids if ids.count(item) > 1})
            if twice:
                raise ValueError(f"{name} gives the id {twice[0]!r} twice")
        if not (self.signatures or self.symptoms):
            raise ValueError("needs a signature or a shared symptom to be found by")
        return self
