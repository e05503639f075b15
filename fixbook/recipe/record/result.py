"""The result of one step, as it is judged, printed and recorded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.environment import Machine
    from fixbook.recipe.author.steps import Step
    from fixbook.recipe.process.outcome import Outcome

Status = Literal["passed", "failed", "skipped"]
Kind = Literal[
    "version",  # the versions imported are not those asked for
    "limit",  # ended for what it used
    "undocumented",  # the entry does not say enough to judge it
    "crash",  # ended badly, and had to end with 0
    "no failure",  # ended with 0, and had to fail
    "other failure",  # failed in another way than the entry says
    "unrecognised",  # its log does not lead to the entry
    "signature",  # its log still holds a signature of the entry
    "found",  # a detection that finds the wrong thing
    "measure",  # a measure does not meet what is claimed of it
    "in force",  # the advice was not on
    "control",  # its control did not do its part
    "device",  # it ran on a GPU and put nothing there
]


@dataclass(frozen=True, slots=True)
class Objection:
    """One reason why a step did not show what the entry says.

    Attributes:
        kind: What sort of reason.
        said: The reason, as a sentence.
        measure: The measure that it is about, if it is about one.
        expected: What was expected of that.
    """

    kind: Kind
    said: str
    measure: str = ""
    expected: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a step showed what the entry says.

    Attributes:
        status: ``passed``, ``failed`` or ``skipped``; a skipped step has shown nothing.
        reason: Why, in one or more sentences.
        objections: What speaks against it, one by one, where it was judged.
    """

    status: Status
    reason: str
    objections: tuple[Objection, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """Another machine that ran a step.

    Attributes:
        machine: What it is.
        versions: What it has of the libraries that the step may depend on.
    """

    machine: Machine
    versions: Mapping[str, str]


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
        line: The line of its log that it was recognised by; where nothing was recognised, the error
            that it begins with.
        snippets: Ids of the entry's snippets that it executed as printed.
        device: Where it ran.
        node: The machine that it ran on, where that was another one.
    """

    slug: str
    step: Step
    verdict: Verdict
    outcome: Outcome | None = None
    measures: dict[str, Any] = field(default_factory=dict)
    log: str = ""
    recognised: str | None = None
    line: str = ""
    snippets: tuple[str, ...] = ()
    device: Literal["cpu", "cuda"] = "cpu"
    node: Node | None = None
