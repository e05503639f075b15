"""The result of one step, as it is judged, printed and recorded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from fixbook.recipe.outcome import Outcome
    from fixbook.recipe.steps import Step

Status = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a step showed what the entry says.

    Attributes:
        status: ``passed``, ``failed`` or ``skipped``; a skipped step has shown nothing.
        reason: Why, in one or more sentences.
    """

    status: Status
    reason: str


@dataclass(frozen=True, slots=True)
class StepResult:
    """A step, how it ended, what it measured, and the verdict.

    Attributes:
        slug: The entry.
        step: The step.
        verdict: Whether it showed what the entry says.
        outcome: How its process ended; None if it was skipped.
        measures: What it recorded; rank k > 0 under ``rank<k>.<name>``.
        log: Its output, scrubbed.
        recognised: What its log was recognised as.
        snippets: Ids of the entry's snippets that it executed as printed.
    """

    slug: str
    step: Step
    verdict: Verdict
    outcome: Outcome | None = None
    measures: dict[str, Any] = field(default_factory=dict)
    log: str = ""
    recognised: str | None = None
    snippets: tuple[str, ...] = ()
