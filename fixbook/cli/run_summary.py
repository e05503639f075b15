"""What a whole run says of the reader's environment: one line, and an exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.cli.exits import ANOTHER_ERROR, DONE, FAILED, NOT_HERE, NOTHING_RAN
from fixbook.text import _, language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.recipe.record import Observation, Shows, StepResult

_ABSENT: frozenset[Shows] = frozenset({"does not happen here", "misses it here"})


def exit_code(every: Sequence[Observation]) -> int:
    """Return the exit code of a run; the table of them stands in the help.

    Args:
        every: What its steps showed.
    """
    ran = [seen for seen in every if seen.shows != "not run"]
    if not ran:
        return NOTHING_RAN
    if all(seen.as_on_the_page for seen in ran):
        return DONE
    shown = {seen.shows for seen in ran}
    if not shown & {"happens here", "finds it"} and shown & _ABSENT:
        return NOT_HERE
    wrong = (seen for seen in ran if not seen.as_on_the_page)
    if {seen.shows for seen in wrong} <= {"stopped by another error", "shows nothing here"}:
        return ANOTHER_ERROR
    return FAILED


def counts(every: Sequence[tuple[StepResult, Observation]]) -> dict[str, tuple[int, int]]:
    """Return for the failure, the fixes and the advice: how many are as said, and how many ran.

    A failure that another error came before counts as neither. Of an entry without a step that
    fails, the measurement speaks for the failure.
    """
    ran = [(result.step, seen) for result, seen in every if seen.shows != "not run"]
    kind = "reproduce" if any(step.kind == "reproduce" for step, _seen in ran) else "detect"
    found = [seen.shows for step, seen in ran if step.kind == kind and step.found is not False]
    found = [shows for shows in found if shows != "stopped by another error"]
    fixes = [seen.shows for step, seen in ran if step.kind == "fix"]
    advice = [seen.shows for step, seen in ran if step.kind == "non_fix"]
    return {
        "failure": (sum(one in {"happens here", "finds it"} for one in found), len(found)),
        "fixes": (fixes.count("helps here"), len(fixes)),
        "advice": (advice.count("no help here"), len(advice)),
    }


def summary(every: Sequence[tuple[StepResult, Observation]], other: int) -> str:
    """Say in one line what the run says of this environment.

    Args:
        every: What was tried, and what it showed.
        other: How many steps were not tried, as they need other releases.
    """
    number = counts(every)
    left = other + sum(seen.shows == "not run" for _result, seen in every)
    tried = [seen for _result, seen in every if seen.shows != "not run"]
    if not tried:
        return _("In your environment nothing of it could be run.")
    parts = [_of_failure(*number["failure"]), _of_fixes(*number["fixes"])]
    stopped = sum(seen.shows == "stopped by another error" for seen in tried)
    helpful = sum(seen.shows == "advice helps here" for seen in tried)
    parts += [_("advice that helps against the page: {n}").format(n=helpful)] if helpful else []
    parts += [_("stopped by another error: {n}").format(n=stopped)] if stopped else []
    parts += [_("not run: {n}").format(n=left)] if left else []
    if all(seen.as_on_the_page for seen in tried):
        parts.append(_("as on the page"))
    said = ("，" if language() == "zh" else ", ").join(filter(None, parts))
    return _("In your environment: {said}.").format(said=said)


def _of_failure(happens: int, ran: int) -> str:
    if not ran:
        return ""
    said = (
        _("the failure happens ({n} of {all})")
        if happens
        else _("the failure does not happen ({n} of {all})")
    )
    return said.format(n=happens, all=ran)


def _of_fixes(helps: int, ran: int) -> str:
    if not ran:
        return ""
    said = (
        _("the fixes help ({n} of {all})") if helps else _("no fix is seen to help ({n} of {all})")
    )
    return said.format(n=helps, all=ran)
