"""Whether a case of an entry is what the reader's log shows: met, open or against.

Cases are plain data of the index; the browser reads the same (overrides/assets/diagnose/cases.js).
A log that does not tell leaves a condition open: it was cut, or no signature captured the value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from fixbook.log.signatures import compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from fixbook.log.diagnosis import Diagnosis, Match

Standing = Literal["met", "open", "against"]
ORDER: tuple[Standing, ...] = ("met", "open", "against")
NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
RELEASE = re.compile(r"v?(\d{1,9}(?:\.\d{1,9}){0,9})(?:\+[\w.]{1,40})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a log shows that cases ask for.

    Attributes:
        captures: Captured values by the name of the group.
        found: Patterns of cases that stand in it.
        libraries: Libraries that the traceback leads through, the deepest first.
        traced: Whether there is a traceback; one through the reader's own files names no library.
        versions: Versions that it prints, by package.
        ranks: How many ranks showed the failure.
    """

    captures: Mapping[str, str] = field(default_factory=dict)
    found: frozenset[str] = frozenset()
    libraries: Sequence[str] = ()
    traced: bool = False
    versions: Mapping[str, str] = field(default_factory=dict)
    ranks: int = 0


def shown_by(match: Match, diagnosis: Diagnosis) -> Shown:
    """Return what the logs of a diagnosis show of a match."""
    card = diagnosis.exception if match is diagnosis.best else None
    return Shown(
        captures={one.name: one.value for one in match.captures},
        found=diagnosis.found,
        libraries=card.libraries if card else (),
        traced=card is not None and bool(card.user or card.libraries),
        versions=card.versions if card else {},
        ranks=len(match.ranks),
    )


def standing_of(cases: Sequence[dict[str, Any]], shown: Shown) -> Standing:
    """Tell how advice stands: one case met is enough; without any case it is open.

    Args:
        cases: Rows of the index.
        shown: What the log shows.
    """
    standings = {case_of(case["all"], shown) for case in cases}
    return next((one for one in ORDER if one in standings), "open")


def case_of(conditions: Iterable[Sequence[Any]], shown: Shown) -> Standing:
    """Tell how one case stands: its worst condition decides."""
    standings = {_condition(one, shown) for one in conditions} - {None}
    return next((one for one in reversed(ORDER) if one in standings), "open")


def _condition(row: Sequence[Any], shown: Shown) -> Standing | None:
    """Evaluate one condition; None is one that has nothing against the log."""
    kind, name, wanted = row[0], row[1], row[-1]
    found = name in shown.found if kind in {"log", "unless"} else False
    answers: dict[str, Callable[[], Standing | None]] = {
        "capture": lambda: _tested(shown.captures.get(name), wanted, shown.captures),
        "log": lambda: "met" if found else "open",
        "unless": lambda: "against" if found else None,
        "frames": lambda: _among(shown.libraries, wanted),
        "unless-frames": lambda: _outside(shown, wanted),
        "library": lambda: _among(shown.libraries[:1], wanted),
        "version": lambda: _within(shown.versions.get(name, ""), wanted),
        "ranks": lambda: _tested(str(shown.ranks) if shown.ranks else None, wanted),
    }
    return answers[kind]()


def _among(libraries: Sequence[str], names: Sequence[str]) -> Standing:
    if not libraries:
        return "open"
    return "met" if not set(names).isdisjoint(libraries) else "against"


def _outside(shown: Shown, names: Sequence[str]) -> Standing:
    if not shown.traced:
        return "open"
    return "met" if set(names).isdisjoint(shown.libraries) else "against"


def _tested(
    value: str | None,
    tests: Sequence[Sequence[Any]],
    captures: Mapping[str, str] = MappingProxyType({}),
) -> Standing:
    if value is None:
        return "open"
    answers = [_test(value, one, captures) for one in tests]
    return "against" if False in answers else "open" if None in answers else "met"


def _test(value: str, test: Sequence[Any], captures: Mapping[str, str]) -> bool | None:
    """Answer one test; None where a number is asked for and there is none."""
    name, wanted, *of = test
    match name:
        case "in":
            return value in wanted
        case "matches":
            return compiled(wanted).search(value) is not None
        case _:
            whole = captures.get(of[0], "") if of else "1"
            if not NUMBER.fullmatch(value) or not NUMBER.fullmatch(whole):
                return None
            bound = wanted * float(whole)
            return bool(float(value) > bound if name == "over" else float(value) < bound)


def _within(version: str, bounds: Sequence[Sequence[Any]]) -> Standing:
    """Compare the numbers of a release; a candidate or a nightly build tells nothing."""
    release = RELEASE.fullmatch(version)
    if not release:
        return "open"
    numbers = tuple(map(int, release[1].split(".")))
    return "met" if all(_holds(numbers, *bound) for bound in bounds) else "against"


def _holds(numbers: tuple[int, ...], operator: str, bound: Sequence[int]) -> bool:
    width = max(len(numbers), len(bound))
    mine, its = ((*part, *[0] * (width - len(part))) for part in (numbers, bound))
    match operator:
        case "==":
            return mine == its
        case "!=":
            return mine != its
        case "<" | "<=":
            return mine < its or (operator == "<=" and mine == its)
        case _:
            return mine > its or (operator == ">=" and mine == its)
