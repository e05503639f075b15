"""What a whole run says of the reader's environment, in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.text import _, language
from fixbook.trial.outcome import SET_ASIDE, counts, otherwise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.recipe.record import Observation, StepResult


def summary(every: Sequence[tuple[StepResult, Observation]], other: int) -> str:
    """Say in one line what the run says of this environment.

    Args:
        every: What was tried, and what it showed.
        other: How many steps were not tried, as they need other releases.
    """
    number = counts(every)
    left = other + sum(seen.shows == "not run" for _result, seen in every)
    tried = [seen for _result, seen in every if seen.shows not in SET_ASIDE]
    idle = sum(seen.shows == "not applicable" for _result, seen in every)
    if not tried:
        return _("In your environment nothing of it could be run.")
    parts = [_of_failure(*number["failure"]), _of_fixes(*number["fixes"])]
    stopped = sum(seen.shows == "stopped by another error" for seen in tried)
    helpful = sum(seen.shows == "advice helps here" for seen in tried)
    parts += [_("advice that helps against the page: {n}").format(n=helpful)] if helpful else []
    parts += [_("stopped by another error: {n}").format(n=stopped)] if stopped else []
    differs = otherwise(every)
    parts += [_("otherwise not as on the page: {n}").format(n=differs)] if differs else []
    if all(seen.as_on_the_page for seen in tried):
        parts.append(_("as on the page"))
    elif all(seen.as_on_the_page or seen.bounded for seen in tried):
        parts.append(_("as the page says of your releases"))
    said = ("，" if language() == "zh" else ", ").join(filter(None, parts))
    aside = [_("not applicable: {n}").format(n=idle)] if idle else []
    aside += [_("not run: {n}").format(n=left)] if left else []
    said = _("; ").join([said, *aside])
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
