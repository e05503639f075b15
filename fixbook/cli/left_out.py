"""What of an entry was not run here, and why."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fixbook.cli.downloads import absent, amount
from fixbook.recipe.running import missing_releases
from fixbook.text import _, in_language, ngettext
from fixbook.trial.versions import never_executed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fixbook.recipe.author import Step
    from fixbook.recipe.record import Observation, StepResult
    from fixbook.text import Lang
    from fixbook.trial.stage import Stage


def left_out(
    stage: Stage, every: Iterable[tuple[StepResult, Observation]], lang: Lang
) -> Iterator[str]:
    """Yield a line for each reason, with the number of steps that it holds for.

    Args:
        stage: The entry.
        every: What was tried.
        lang: The language.
    """
    yield from _counted((seen for _result, seen in every if seen.shows == "not run"), lang)
    if stage.other:
        yield _other(stage)


def not_applicable(every: Iterable[tuple[StepResult, Observation]], lang: Lang) -> Iterator[str]:
    """Yield a line for each reason for which steps have nothing to show here."""
    seen = (seen for _result, seen in every if seen.shows == "not applicable")
    yield from _counted(seen, lang)


def _counted(every: Iterable[Observation], lang: Lang) -> Iterator[str]:
    reasons = Counter(in_language(seen.reason, lang) for seen in every)
    for reason, count in reasons.items():
        yield _("{steps}: {reason}").format(steps=_steps(count), reason=reason)


def _other(stage: Stage) -> str:
    count = len(stage.other)
    said = ngettext(
        "{count} step needs other releases than yours: {releases}",
        "{count} steps need other releases than yours: {releases}",
        count,
    ).format(count=count, releases=_releases(stage.other))
    never = never_executed(stage)
    if never:
        said += _(" (yours, {names}, was never executed)").format(names=", ".join(never))
    pins = absent(stage.other)
    more = _("; --all runs them, {size} to download") if pins else _("; --all runs them")
    return said + more.format(size=amount(pins))


def _releases(steps: Iterable[Step]) -> str:
    """Name what the steps are about: ``trl 0.15.2, 0.16.1``, and count what goes with it."""
    told: dict[str, dict[str, None]] = {}
    every: set[str] = set()
    for step in steps:
        pins = [pin.partition("==") for pin in missing_releases(step.needs.versions)]
        every.update(name for name, _sign, _version in pins)
        told.setdefault(pins[0][0], {})[pins[0][2]] = None
    said = _("; ").join(f"{name} {', '.join(versions)}" for name, versions in told.items())
    more = len(every - told.keys())
    with_it = ngettext(
        "{said} (and {count} package with it)", "{said} (and {count} packages with it)", more
    )
    return with_it.format(said=said, count=more) if more else said


def _steps(count: int) -> str:
    return ngettext("{count} step", "{count} steps", count).format(count=count)
