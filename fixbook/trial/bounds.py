"""What the boundaries of an entry say of the reader's releases: where its failure is not."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Literal

from fixbook.book import MENTION, marks_in_words
from fixbook.environment import installed_version
from fixbook.recipe.record import can_fail
from fixbook.text import LANGS, joined, say
from fixbook.trial.outcome import ABSENT
from fixbook.versions import canonical_name, parse_version, place_of

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from fixbook.book import Boundary, Entry, Fix, NonFix, Text
    from fixbook.recipe.record import Observation, Shows, StepResult
    from fixbook.text import Lang, Sentence
    from fixbook.trial.stage import Stage

    Releases = Mapping[str, str]  # by canonical name

# What a step comes to whose control has no failure that it could mend.
_NOTHING: frozenset[Shows] = frozenset({"shows nothing here", "stopped by another error"})


@dataclasses.dataclass(frozen=True, slots=True)
class Outside:
    """A release at which an entry says that its failure is not.

    Attributes:
        row: The boundary.
        version: The release.
        side: Whether it came before the first bad one, or the failure is mended in it.
        note: What it is that begins or ends there, by language; None for the entry as a whole.
    """

    row: Boundary
    version: str
    side: Literal["older", "mended"]
    note: dict[Lang, str] | None

    @property
    def limit(self) -> str:
        """The release with which the failure begins or ends."""
        limit = self.row.first_bad if self.side == "older" else self.row.first_fixed
        return str(limit)

    @property
    def sure(self) -> str:
        """How sure this side is: ``executed``, ``read`` or ``stated``."""
        return (self.row.began if self.side == "older" else None) or self.row.sure

    def said(self) -> Sentence:
        """Say where the release stands."""
        given = {"package": self.row.package, "limit": self.limit, "version": self.version}
        if self.side == "older":
            return say("it begins with {package} {limit}; {version} is older", **given)
        if parse_version(self.version) == parse_version(self.limit):
            return say("it is mended in {package} {limit}, which is here", **given)
        return say("it is mended in {package} {limit}; {version} is newer", **given)


def outside(entry: Entry, releases: Releases) -> Iterator[Outside]:
    """Yield the boundaries of an entry beyond which some of these releases lie.

    A release between the last good and the first bad one, and a candidate of either side, may
    have the failure or not: nothing is said of it.

    Args:
        entry: The entry.
        releases: The releases.
    """
    for row in entry.boundary:
        if version := releases.get(canonical_name(row.package)):
            side = place_of(version, row.last_good, row.first_bad, row.first_fixed)
            if side in {"older", "mended"}:
                yield Outside(row, version.partition("+")[0], side, _note(row, entry))


def _note(row: Boundary, entry: Entry) -> dict[Lang, str] | None:
    if row.note is None:
        return None
    advices: list[Fix | NonFix] = [*entry.fixes, *entry.non_fixes]
    titles = {one.id: one.title for one in advices}
    return {
        lang: marks_in_words(MENTION.sub(_named(titles, lang), row.note.of(lang)), lang)
        for lang in LANGS
    }


def _named(titles: Mapping[str, Text], lang: Lang) -> Callable[[re.Match[str]], str]:
    """Return what puts the title of a fix or an advice where a text names it."""
    return lambda one: titles[one["id"]].of(lang) if one["id"] in titles else one["id"]


def outside_here(stage: Stage) -> list[Outside]:
    """Return the boundaries beyond which the releases lie that all running steps run on."""
    shared = [set(step.needs.versions) for step in (*stage.run, *stage.other)]
    pins = set.intersection(*shared) if shared else set()
    return list(outside(stage.item.entry, _releases(stage.item.entry, pins)))


def bounded(
    stage: Stage, results: Iterable[tuple[StepResult, Observation]]
) -> Iterator[tuple[StepResult, Observation]]:
    """Say of each step whose failure is not there what the page says of its releases.

    What such a step is the control of shows nothing, and that is no contradiction to the page.

    Args:
        stage: The entry.
        results: What its steps showed; what came before its control is kept until that comes.
    """
    why: dict[str, Sentence] = {}
    done: set[str] = set()
    names = {step.name for step in stage.run}
    waiting: list[tuple[StepResult, Observation]] = []
    for one in results:
        done.add(one[0].step.name)
        waiting.append(one)
        held = [row for row in waiting if row[0].step.control in names - done]
        ready = sorted((row for row in waiting if row not in held), key=_after_its_control)
        waiting = held
        yield from ((result, _in_bounds(stage, result, seen, why)) for result, seen in ready)
    yield from waiting


def _after_its_control(one: tuple[StepResult, Observation]) -> bool:
    return bool(one[0].step.control)


def _in_bounds(
    stage: Stage, result: StepResult, seen: Observation, why: dict[str, Sentence]
) -> Observation:
    """Return what a step shows in the light of its releases, and note why a failure is not there.

    Args:
        stage: The entry.
        result: The step.
        seen: What it shows.
        why: By step whose failure is not there, what the page says of that.
    """
    entry, step = stage.item.entry, result.step
    if seen.shows in _NOTHING and step.control in why:
        return dataclasses.replace(seen, shows="not applicable", reason=why[step.control])
    if not can_fail(step) or seen.shows not in ABSENT | _NOTHING:
        return seen
    rows = [*outside(entry, _releases(entry, step.needs.versions))]
    # Which of several boundaries is that of this step, nothing says.
    if not rows or len(rows) < len(entry.boundary):
        return seen
    why[step.name] = joined(one.said() for one in rows)
    if seen.shows in _NOTHING:  # another error ended it: that is told, and what rests on it is not
        return seen
    return dataclasses.replace(seen, reason=why[step.name], bounded=True)


def bound_row(one: Outside) -> dict[str, Any]:
    """Return one as plain data."""
    return {
        "package": one.row.package,
        "yours": one.version,
        "side": one.side,
        "last_good": one.row.last_good,
        "first_bad": one.row.first_bad,
        "first_fixed": one.row.first_fixed,
        "sure": one.sure,
        "note": one.note,
    }


def _releases(entry: Entry, pins: Iterable[str]) -> Releases:
    """Return the releases of the packages of its boundaries: the pinned one, else that here."""
    asked = (pin.partition("==") for pin in pins)
    pinned = {canonical_name(name.strip()): version.strip() for name, _sign, version in asked}
    names = {canonical_name(row.package) for row in entry.boundary}
    found = {name: pinned.get(name) or installed_version(name) for name in names}
    return {name: version for name, version in found.items() if version}
