"""What an entry claims and what shows it: certainty, steps, versions, logs.

A claim counts only if a run could have refuted it, so these types carry conditions that the suite
holds against every run, and the names of the steps that show what is said.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, model_validator

from fixbook.book.fields import ConditionText, File, Line, Pattern, Release, Slug, Text
from fixbook.book.strict import BY_NAME
from fixbook.text import _
from fixbook.versions import parse_version


class _Model(BaseModel):
    model_config = BY_NAME


class Boundary(_Model):
    """Where a failure begins and ends among the releases of a package.

    A user's own mistake has none. The releases that steps ran on are no part of it: pages take
    them from the evidence.

    Attributes:
        package: Its name on PyPI.
        last_good: The last release without the defect.
        first_bad: The first release that has it.
        first_fixed: The first release that is free of it again.
        sure: ``executed`` by steps on both sides, ``read`` in the sources, or ``stated`` by those
            who maintain it.
        began: How sure its beginning is, where only its end was executed.
        reference: Where it was read, or is stated.
        note: What it is that begins or ends there, where the entry has several.
        silent: Whether nothing raises there, in an entry whose other failures do.
    """

    package: Line
    last_good: Release | None = None
    first_bad: Release | None = None
    first_fixed: Release | None = None
    sure: Literal["executed", "read", "stated"] = "executed"
    began: Literal["read", "stated"] | None = None
    reference: Slug | None = None
    note: Text | None = None
    silent: bool = False

    @model_validator(mode="after")
    def _is_a_boundary(self) -> Self:
        if self.first_bad is None and self.first_fixed is None:
            raise ValueError(_("needs 'first_bad' or 'first_fixed': else nothing begins or ends"))
        if self.began and not (self.sure == "executed" and self.first_bad and self.first_fixed):
            raise ValueError(_("'began' is for one whose end was executed and its beginning not"))
        if (self.sure != "executed" or self.began) and not self.reference:
            raise ValueError(_("was not executed: name the reference that says it"))
        named = [one for one in (self.last_good, self.first_bad, self.first_fixed) if one]
        releases = [*map(parse_version, named)]
        if releases != sorted(set(releases)):
            raise ValueError(_("last_good, first_bad and first_fixed have to follow one another"))
        return self


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


class OnCuda(_Model):
    """What is different where a step for any device runs on a GPU.

    Attributes:
        text: What is different, and why: a fact for the page.
        fails: How it fails there; what the step says otherwise, if it is left out.
        expect: Conditions on measures that replace those of the same name.
    """

    text: Text
    fails: Fails | None = None
    expect: dict[str, ConditionText] = {}


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
        on_cuda: What is different on a GPU, for a step that runs on any device.
    """

    title: Text | None = None
    fails: Fails | None = None
    expect: dict[str, ConditionText] = {}
    in_force: dict[str, ConditionText] = {}
    differs: Text | None = None
    simulated: Text | Slug | None = None
    slow: Text | None = None
    on_cuda: OnCuda | None = None

    def on(self, device: str) -> StepClaims:
        """Return what holds on a device: ``cpu`` or ``cuda``."""
        if device == "cpu" or self.on_cuda is None:
            return self
        fails = self.on_cuda.fails or self.fails
        expect = self.expect | self.on_cuda.expect
        return self.model_copy(update={"fails": fails, "expect": expect})


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
