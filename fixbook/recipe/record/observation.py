"""What a step shows on the machine of a reader, whose versions need not be those of the evidence.

A verdict says whether the entry holds, and is for its authors. An observation says what happened
here: nothing of it is a mistake of the reader's, and most of it is not one of the entry's.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Literal

from fixbook.recipe.record.control import judge_beside_controls
from fixbook.recipe.record.missing_name import absent_package, missing_name, needs_package
from fixbook.recipe.record.result import Verdict
from fixbook.recipe.record.store import load_evidence
from fixbook.text import N_, joined, quote, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fixbook.book import BookEntry
    from fixbook.recipe.record.result import Kind, Objection, StepResult
    from fixbook.text import Sentence

# The results, as readers of `fixbook run --json` get them; and said in the language of others.
Shows = Literal[
    "happens here",
    "does not happen here",
    "finds it",
    "silent",
    "misses it here",
    "false alarm here",
    "helps here",
    "does not help here",
    "no help here",
    "advice helps here",
    "differs here",
    "shows nothing here",
    "stopped by another error",
    "not applicable",
    "not run",
]
MESSAGES = (
    N_("happens here"),
    N_("does not happen here"),
    N_("finds it"),
    N_("silent"),
    N_("misses it here"),
    N_("false alarm here"),
    N_("helps here"),
    N_("does not help here"),
    N_("no help here"),
    N_("advice helps here"),
    N_("differs here"),
    N_("shows nothing here"),
    N_("stopped by another error"),
    N_("not applicable"),
    N_("not run"),
)
AS_ON_THE_PAGE: frozenset[Shows] = frozenset(
    {"happens here", "finds it", "silent", "helps here", "no help here"}
)
_UNDECIDED: frozenset[Shows] = frozenset({"stopped by another error", "not run"})


@dataclasses.dataclass(frozen=True, slots=True)
class Observation:
    """What one step shows here.

    Attributes:
        shows: The result.
        reason: What was seen that decides it; empty where all is as on the page.
        differs: Claims of the page that do not hold here though the result is the page's.
        bounded: Whether it is what the page's boundary says of the releases here.
    """

    shows: Shows
    reason: str = ""
    differs: tuple[Objection, ...] = ()
    bounded: bool = False

    @property
    def as_on_the_page(self) -> bool:
        """Tell whether everything was as the page says."""
        return self.shows in AS_ON_THE_PAGE and not self.differs


def observations(
    results: Iterable[StepResult], item: BookEntry, machine: str = "cpu"
) -> Iterator[tuple[StepResult, Observation]]:
    """Say what each step of an entry shows, as soon as its control has ended.

    Args:
        results: Results as they come.
        item: The entry.
        machine: Whose evidence speaks for a control that is not run this time.

    Yields:
        Every result with what it shows.
    """
    seen: dict[str, Observation] = {}

    def noted() -> Iterator[StepResult]:
        for result in results:
            seen[result.step.name] = observe(item, result)
            yield result

    def as_control(result: StepResult) -> Verdict:
        mine = seen[result.step.name]
        return Verdict("passed", "") if mine.shows in AS_ON_THE_PAGE else result.verdict

    for result in judge_beside_controls(noted(), {item.slug: item}, machine, as_control):
        mine = observe(item, result)
        control = seen.get(result.step.control)
        if control and _harmless(item, result, control) and mine.shows not in _UNDECIDED:
            mine = Observation("shows nothing here", _without_control(control))
        yield result, mine


def _harmless(item: BookEntry, result: StepResult, control: Observation) -> bool:
    """Tell whether a control shows no harm here: nothing that a fix is said to mend was seen."""
    if control.shows not in AS_ON_THE_PAGE:
        return True
    mended = item.entry.steps[result.step.name].expect.keys() - {"found"}
    missing = {one.measure for one in control.differs}
    return control.shows == "finds it" and bool(mended) and mended <= missing


def observe(item: BookEntry, result: StepResult) -> Observation:
    """Say what a step shows, from what speaks against it.

    Args:
        item: The entry.
        result: The step, judged.
    """
    kinds = {one.kind for one in result.verdict.objections}
    if result.outcome is None or (result.verdict.status == "skipped" and not kinds):
        return Observation("not run", result.verdict.reason)
    if "control" in kinds:
        return Observation("shows nothing here", result.verdict.reason)
    if kinds & {"version", "limit", "undocumented"}:
        return Observation("stopped by another error", result.verdict.reason)
    return _OF_KIND[result.step.kind](item, result, kinds)


def _of_failure(item: BookEntry, result: StepResult, kinds: set[Kind]) -> Observation:
    if "no failure" in kinds:
        return Observation("does not happen here", say("it ends with exit code 0"))
    if "unrecognised" in kinds:
        return _stopped(item, result)
    return Observation("happens here", "", result.verdict.objections)


def _of_detection(item: BookEntry, result: StepResult, kinds: set[Kind]) -> Observation:
    if kinds & {"crash", "no failure", "other failure"}:
        return _stopped(item, result)
    if "found" in kinds:
        return _measured(result, "misses it here" if result.step.found else "false alarm here")
    return Observation("finds it" if result.step.found else "silent", "", result.verdict.objections)


def _of_fix(item: BookEntry, result: StepResult, kinds: set[Kind]) -> Observation:
    if "signature" in kinds:
        return Observation("does not help here", quote(result.line))
    if "crash" in kinds:
        hangs = _hangs_on(item, result)
        return Observation("does not help here", hangs) if hangs else _stopped(item, result)
    return _measured(result, "does not help here") if kinds else Observation("helps here")


def _hangs_on(item: BookEntry, result: StepResult) -> str:
    """Say how a step ended that hangs as its control does; nothing if it does not."""
    control = item.entry.steps.get(result.step.control)
    fails = control.fails if control else None
    ended = result.outcome
    if not ended or ended.stopped != "timeout" or not fails or fails.exit != "timeout":
        return ""
    return ended.said()


def _of_advice(item: BookEntry, result: StepResult, kinds: set[Kind]) -> Observation:
    if kinds & {"crash", "other failure"} or (
        not _says_how_it_fails(item, result) and _lacks(item, result)
    ):
        return _stopped(item, result)
    if "in force" in kinds:
        return _measured(result, "shows nothing here")
    if "no failure" in kinds:
        return Observation("advice helps here", say("it ends with exit code 0"))
    return _measured(result, "differs here") if kinds else Observation("no help here")


def _says_how_it_fails(item: BookEntry, result: StepResult) -> bool:
    """Tell whether the page gives the log of a step: a module may be missing on purpose."""
    fails = item.entry.steps[result.step.name].fails
    return fails is not None and fails.log is not None


_OF_KIND: dict[str, Callable[[BookEntry, StepResult, set[Kind]], Observation]] = {
    "reproduce": _of_failure,
    "detect": _of_detection,
    "fix": _of_fix,
    "non_fix": _of_advice,
}


def _without_control(control: Observation) -> Sentence:
    reason = control.reason or joined(one.said for one in control.differs)
    return say("its control: {shows}; {reason}", shows=say(control.shows), reason=quote(reason))


def _stopped(item: BookEntry, result: StepResult) -> Observation:
    """What ended a step is the error that its log shows; one without an error says how it ended."""
    records = [one for all_of in load_evidence(item).values() for one in all_of.steps.values()]
    known = {name for record in records for name in record.versions}
    package = absent_package(result.line, result.log, known)
    if package and result.recognised != item.slug:
        return Observation("not run", needs_package(package))
    ended = result.outcome.said() if result.outcome else ""
    said = _lacks(item, result) or (quote(result.line) if result.line else ended)
    return Observation("stopped by another error", said)


def _lacks(item: BookEntry, result: StepResult) -> Sentence | None:
    """Say which name of a library was not there, where that ended a step."""
    if result.outcome is None or not result.outcome.failed or result.recognised == item.slug:
        return None
    records = (one.steps.get(result.step.name) for one in load_evidence(item).values())
    recorded = next((one.versions for one in records if one), {})
    return missing_name(result.line, result.step.needs, recorded, result.log)


def _measured(result: StepResult, shows: Shows) -> Observation:
    objections = result.verdict.objections
    return Observation(shows, joined(one.said for one in objections), objections)
