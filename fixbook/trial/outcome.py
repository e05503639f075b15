"""What a whole run says of the reader's environment: counts, and an exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.exits import ANOTHER_ERROR, DONE, FAILED, NOT_HERE, NOTHING_RAN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.recipe.record import Observation, Shows, StepResult

# What counts neither for the page nor against it.
SET_ASIDE: frozenset[Shows] = frozenset({"not run", "not applicable"})
ABSENT: frozenset[Shows] = frozenset({"does not happen here", "misses it here"})


def exit_code(every: Sequence[Observation]) -> int:
    """Return the exit code of a run; the table of them stands in the help.

    Args:
        every: What its steps showed.
    """
    ran = [seen for seen in every if seen.shows not in SET_ASIDE]
    if not ran:
        return NOTHING_RAN
    if all(seen.as_on_the_page for seen in ran):
        return DONE
    shown = {seen.shows for seen in ran}
    if not shown & {"happens here", "finds it"} and shown & ABSENT:
        return NOT_HERE
    wrong = [seen for seen in ran if not seen.as_on_the_page and not seen.bounded]
    if not wrong:
        return NOT_HERE if "happens here" not in shown else DONE
    if {seen.shows for seen in wrong} <= {"stopped by another error", "shows nothing here"}:
        return ANOTHER_ERROR
    return FAILED


def counts(every: Sequence[tuple[StepResult, Observation]]) -> dict[str, tuple[int, int]]:
    """Return for the failure, the fixes and the advice: how many are as said, and how many ran.

    What another error came before counts as neither. Of an entry without a step that
    fails, the measurement speaks for the failure.
    """
    ran = [(result.step, seen) for result, seen in every if seen.shows not in SET_ASIDE]
    kind = "reproduce" if any(step.kind == "reproduce" for step, _seen in ran) else "detect"
    ran = [(step, seen) for step, seen in ran if seen.shows != "stopped by another error"]
    found = [seen.shows for step, seen in ran if step.kind == kind and step.found is not False]
    fixes = [seen.shows for step, seen in ran if step.kind == "fix"]
    advice = [seen.shows for step, seen in ran if step.kind == "non_fix"]
    return {
        "failure": (sum(one in {"happens here", "finds it"} for one in found), len(found)),
        "fixes": (fixes.count("helps here"), len(fixes)),
        "advice": (advice.count("no help here"), len(advice)),
    }


def otherwise(every: Sequence[tuple[StepResult, Observation]]) -> int:
    """Return how many steps are not as on the page in a way that no other count tells.

    Such are a false alarm of the check, a failure with another message, a measure that is not
    the page's.
    """
    failures = any(
        result.step.kind == "reproduce" and seen.shows not in SET_ASIDE for result, seen in every
    )
    return sum(
        not seen.as_on_the_page and not _counted(result, seen, failures=failures)
        for result, seen in every
    )


def _counted(result: StepResult, seen: Observation, *, failures: bool) -> bool:
    told = {*SET_ASIDE, "stopped by another error", "advice helps here"}
    if seen.bounded or seen.shows in told:
        return True
    if result.step.kind == "fix":
        return seen.shows != "helps here"
    return seen.shows == "does not happen here" or (seen.shows == "misses it here" and not failures)
