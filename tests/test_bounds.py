"""The versions that "affected" names were run, in one range of the package or another."""

from __future__ import annotations

import pytest

from fixbook.book import Affected
from fixbook.gates.boundaries import _objections
from fixbook.recipe.record import Seen

OLD = Affected(package="transformers", range="<4.53", fixed_in="4.53.0")
NEW = Affected(package="transformers", range=">=5.2,<5.4", fixed_in="5.4.0")
RANGES = [OLD.range, NEW.range]


def seen_on(*broken: str, mended: tuple[str, ...] = ("4.53.0", "5.4.0")) -> Seen:
    """Note runs of transformers."""
    seen = Seen()
    for version in broken:
        seen.add("transformers", version, broken=True)
    for version in mended:
        seen.add("transformers", version, broken=False)
    return seen


def test_a_version_may_fall_into_another_range_of_the_same_package() -> None:
    """Two rows of one package: each needs its own bounds, and neither those of the other."""
    seen = seen_on("4.52.4", "5.2.0", "5.3.0")
    assert not list(_objections(OLD, seen, RANGES))
    assert not list(_objections(NEW, seen, RANGES))


def test_a_version_outside_every_range_is_told_once() -> None:
    """Not once for every row."""
    seen = seen_on("4.52.4", "5.2.0", "5.9.0")
    objections = [what for row in (OLD, NEW) for what, _ in _objections(row, seen, RANGES)]
    assert objections == ["the failure was seen on 5.9.0, outside the range"]


def test_a_bound_that_no_step_ran_is_told() -> None:
    """As it is where a package has one row."""
    seen = seen_on("4.52.4", "5.3.0", mended=("4.53.0",))
    objections = [what for what, _ in _objections(NEW, seen, RANGES)]
    assert "the failure was not seen on 5.2" in objections
    assert "nothing shows that 5.4 is free of it" in objections


@pytest.mark.parametrize("bound", [">4.52.0,<4.53", "!=4.52.0,>4.52.0,<4.53"])
def test_an_open_lower_bound_was_run_too(bound: str) -> None:
    """Above a release that is free of it, something has to show that it is."""
    row = Affected(package="transformers", range=bound)
    objections = [what for what, _ in _objections(row, seen_on("4.52.4"), [row.range])]
    assert objections == ["nothing shows that 4.52.0 is free of it"]
    assert not list(_objections(row, seen_on("4.52.4", mended=("4.52.0", "4.53")), [row.range]))


def test_a_failure_seen_on_a_release_candidate_alone_is_seen() -> None:
    """Not on the release before it, and yet in the range."""
    row = Affected(package="torch", range="<2.9")
    seen = Seen()
    seen.add("torch", "2.8.0rc2", broken=True)
    seen.add("torch", "2.9", broken=False)
    assert not list(_objections(row, seen, [row.range]))
