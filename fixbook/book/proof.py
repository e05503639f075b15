"""What an entry claims and what shows it: certainty, steps, versions, logs.

A claim counts only if a run could have refuted it, so these types carry conditions that the suite
holds against every run, and the names of the steps that show what is said.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from fixbook.book.fields import ConditionText, File, Line, Pattern, Range, Release, Slug, Text
from fixbook.text import _


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Affected(_Model):
    """A package and the versions that have the defect.

    Attributes:
        package: Its name on PyPI.
        range: The versions, as a PEP 440 range. Each of its bounds is executed by a step, or
            ``read`` says where it was read.
        fixed_in: The first release without the defect.
        note: What else is to be said of it.
        read: Reference that states the bounds no step executes: "read, not executed".
    """

    package: Line
    range: Range
    fixed_in: Release | None = None
    note: Text | None = None
    read: Slug | None = None


class NotExecuted(_Model):
    """A release that matters here and could not be executed.

    Attributes:
        package: Its name on PyPI.
        version: The release.
        reason: Why it could not.
    """

    package: Line
    version: Line
    reason: Text


class Claim(_Model):
    """One statement, how sure it is, and what it rests on.

    Attributes:
        id: Its name; the first claim of an entry is the mechanism.
        text: The statement.
        level: ``proven`` by steps of the recipe, stated ``upstream`` by those who maintain the
            software, ``inferred`` from what was seen, or ``unknown``.
        steps: The steps that prove it.
        reference: Where upstream states it.
    """

    id: Slug
    text: Text
    level: Literal["proven", "upstream", "inferred", "unknown"]
    steps: list[Slug] = []
    reference: Slug | None = None

    @model_validator(mode="after")
    def _rests_on_something(self) -> Self:
        if self.level == "proven" and not self.steps:
            raise ValueError(_("is proven: name the steps that prove it"))
        if self.level == "upstream" and not self.reference:
            raise ValueError(_("is stated upstream: name the reference that states it"))
        return self


class Said(_Model):
    """Something a source says, and what was found when it was executed.

    Attributes:
        source: The article: an id of ``sources.yaml``.
        said: What it says.
        verdict: What became of it.
        found: What was found.
        see: The part of the entry that shows it: ``fix:ID``, ``non_fix:ID``, ``detect``,
            ``cause``, ``signature`` or ``silent_twin``.
    """

    source: Slug
    said: Text
    verdict: Literal["confirmed", "partly", "wrong", "unsupported"]
    found: Text
    see: Annotated[str, Field(pattern=r"^(fix:|non_fix:|detect$|cause$|signature$|silent_twin$)")]


class Fails(_Model):
    """How a step fails.

    Attributes:
        exit: ``nonzero`` for an exit code other than 0 or a signal, ``signal`` for a signal alone,
            ``timeout`` for a step that its time limit ends, ``any`` for each of these.
        log: A pattern that its log contains.
        symptom: The shared symptom (``as``) that its log is recognised as, where the text alone
            cannot decide.
    """

    exit: Literal["nonzero", "signal", "timeout", "any"] = "nonzero"
    log: Pattern | None = None
    symptom: Slug | None = Field(default=None, alias="as")


class StepClaims(_Model):
    """What the entry says of a step: the suite holds every run against it.

    Attributes:
        title: What the step does; by default the title of the fix or non-fix that it executes.
        fails: How it fails; absent for a step that has to end with 0.
        expect: Conditions that its measures meet. For a fix, its control violates one of them,
            unless the control fails by itself.
        in_force: For a non-fix: measures that show that the advice was in force. They do not
            hold on the control.
        differs: What else differs from the control, and why it does not matter. Only where the
            two cannot be written as one call with one other argument.
        simulated: What is not real in it: a text, or the name of one under ``simulated``.
        slow: Why it takes longer than others.
    """

    title: Text | None = None
    fails: Fails | None = None
    expect: dict[str, ConditionText] = {}
    in_force: dict[str, ConditionText] = {}
    differs: Text | None = None
    simulated: Text | Slug | None = None
    slow: Text | None = None


class LogFile(_Model):
    """A real log that must lead to this entry, or to a shared symptom it is a cause of.

    Attributes:
        source: Reference it was quoted from, or ``step:NAME`` for what a recorded step printed.
        file: The quotation; a recorded step needs none.
        symptom: The shared symptom (``as``) where the text alone cannot decide.
    """

    source: Line
    file: File | None = None
    symptom: Slug | None = Field(default=None, alias="as")

    @model_validator(mode="after")
    def _is_somewhere(self) -> Self:
        if self.file is None and not self.source.startswith("step:"):
            raise ValueError(_("needs 'file', as its source is not a step"))
        return self

    @property
    def step(self) -> str | None:
        """The step that printed it, if a step did."""
        return self.source.removeprefix("step:") if self.source.startswith("step:") else None
