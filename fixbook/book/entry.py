"""The typed entry: one failure with one cause, in both languages.

Field names are the file format of ``recipes/<slug>/entry.yaml``; the same model is published as
JSON Schema (``fixbook schema``), so that editors complete and check it.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from fixbook.book.fields import Group, Name, Slug, Text
from fixbook.book.parts import (
    Aliases,
    Bar,
    ConfigChange,
    Detect,
    Fix,
    Names,
    NonFix,
    Reference,
    Shares,
    Signature,
    SilentTwin,
    Snippet,
)
from fixbook.book.proof import (
    Boundary,
    Claim,
    LogFile,
    NotExecuted,
    Said,
    StepClaims,
)
from fixbook.book.rule import Rule
from fixbook.text import _

if TYPE_CHECKING:
    from fixbook.book.case import Case

Category = Literal[
    "illegal-access",
    "out-of-memory",
    "hang",
    "loading",
    "checkpoint",
    "compile",
    "wrong-result",
    "autograd",
    "tensor",
    "precision",
    "distributed",
    "data",
    "installation",
    "host",
    "serving",
]


class Entry(BaseModel):
    """One failure with one cause.

    Attributes:
        title: The failure in the words of those who meet it, at most 70 characters, 45 in Chinese.
        summary: One sentence: what happens, and what to do.
        categories: Where it is listed.
        projects: The libraries it is met in.
        status: ``retired`` for one that no longer matters; its page stays.
        added: The day it was written, such as 2026-11-21.
        aliases: The words that people type for it.
        boundary: Where it begins and ends among the releases of a package.
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
        yours: What of the code and the texts is the reader's own: the name of a captured group,
            or another, with what stands there where the log does not tell it. Texts ask for it
            by ``{{yours:NAME}}``.
        fixes: Ways out; the first is the one to recommend.
        non_fixes: Advice that circulates and does not help.
        simulated: What is not real in steps, by name, where several say the same.
        steps: What each step of the recipe has to show, by its name.
        names: Names that changed from release to release.
        bars: Measures worth drawing; none for most entries.
        said: What articles said of it, held against what was found.
        config_rules: Combinations of settings that ``fixbook check`` reports.
        logs: Real logs that must lead here, two at least.
        references: Where facts come from.
    """

    title: Text
    summary: Text
    categories: list[Category] = Field(min_length=1)
    projects: list[Name] = Field(min_length=1)
    status: Literal["active", "retired"] = "active"
    added: dt.date
    aliases: Aliases = Aliases()
    boundary: list[Boundary] = []
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
    yours: dict[Group, Text] = {}
    fixes: list[Fix] = Field(min_length=1)
    non_fixes: list[NonFix] = []
    simulated: dict[Slug, Text] = {}
    steps: dict[Slug, StepClaims] = Field(min_length=1)
    names: Names | None = None
    bars: list[Bar] = []
    said: list[Said] = []
    config_rules: list[Rule] = []
    logs: list[LogFile] = Field(min_length=2)
    references: list[Reference] = Field(min_length=1)

    model_config = ConfigDict(extra="forbid", frozen=True)

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

    @model_validator(mode="after")
    def _names_of_the_reader_exist(self) -> Self:
        groups = {name for one in self.signatures for name in re.compile(one.pattern).groupindex}
        tested = {name for case in self.cases() for name in case.names()}
        if tested - groups:
            what = _("'when' tests {names}, which no signature captures")
            raise ValueError(what.format(names=sorted(tested - groups)))
        changes = [change for fix in self.fixes for change in fix.config]
        fillers: list[Snippet | ConfigChange] = [*self.snippets.values(), *changes]
        unknown = {name for one in fillers for name in one.fills.values()} - self.yours.keys()
        if unknown:
            what = _("'fills' names {names}: say under 'yours' what stands there")
            raise ValueError(what.format(names=sorted(unknown)))
        return self

    def cases(self) -> list[Case]:
        """Return every case of its advice."""
        given: list[Fix | NonFix | Detect] = [*self.fixes, *self.non_fixes, self.detect]
        return [case for advice in given for case in advice.when]

    def shares(self, symptom: str) -> Shares | None:
        """Return how it is told apart from the other causes of a message, if it is one of them."""
        return next((shared for shared in self.symptoms if shared.id == symptom), None)

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
