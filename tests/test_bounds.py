"""The releases at which a failure begins and ends were run, on both sides."""

from __future__ import annotations

from typing import Any

import pytest

from fixbook.book import Boundary
from fixbook.gates.boundaries import unshown
from fixbook.recipe.record import Seen

BOTH = {"last_good": "4.52.4", "first_bad": "4.53.0", "first_fixed": "5.2.0"}


def seen_on(*broken: str, mended: tuple[str, ...] = ()) -> Seen:
    """Note runs of transformers."""
    seen = Seen()
    for version in broken:
        seen.add("transformers", version, broken=True)
    for version in mended:
        seen.add("transformers", version, broken=False)
    return seen


def objections(seen: Seen, **given: Any) -> list[str]:
    """Return what nothing shows of a boundary of transformers."""
    boundary = Boundary.model_validate({"package": "transformers", **given})
    return [what for what, _version in unshown(boundary, seen)]


def test_both_sides_were_run() -> None:
    """The release before, the first bad one, and the one that is free of it again."""
    assert objections(seen_on("4.53.0", mended=("4.52.4", "5.2.0")), **BOTH) == []


@pytest.mark.parametrize(
    ("seen", "problem"),
    [
        (seen_on("4.54.0", mended=("4.52.4", "5.2.0")), "the failure was not seen on 4.53.0"),
        (seen_on("4.53.0", mended=("5.2.0",)), "nothing shows that 4.52.4 is free of it"),
        (seen_on("4.53.0", mended=("4.52.4",)), "nothing shows that 5.2.0 is free of it"),
    ],
)
def test_a_side_that_no_step_ran_is_told(seen: Seen, problem: str) -> None:
    """Which one, with its release."""
    assert objections(seen, **BOTH) == [problem]


def test_a_beginning_needs_the_release_before_it() -> None:
    """A first bad release alone says nothing of where it began."""
    said = objections(seen_on("4.53.0"), first_bad="4.53.0")
    assert said == ["nothing ran on the release before the first bad one"]


def test_an_end_needs_a_release_that_fails() -> None:
    """Where nothing failed before it, nothing ended."""
    said = objections(seen_on(mended=("5.2.0",)), first_fixed="5.2.0")
    assert said == ["the failure was seen on no release before it ended"]
    later = seen_on("5.3.0", mended=("5.2.0",))
    assert objections(later, first_fixed="5.2.0") == said, "what fails later has not ended"
    candidate = seen_on("5.2.0rc2", mended=("5.2.0",))
    assert objections(candidate, first_fixed="5.2.0") == [], "a release candidate is before it"


@pytest.mark.parametrize("sure", ["read", "stated"])
def test_what_was_read_needs_no_run(sure: str) -> None:
    """It names its reference instead, which another gate follows."""
    assert objections(Seen(), **BOTH, sure=sure, reference="report") == []


def test_a_beginning_that_was_read_leaves_the_end_to_steps() -> None:
    """Of the two, one was executed."""
    seen = seen_on("5.1.0", mended=("5.2.0",))
    assert objections(seen, **BOTH, began="read", reference="report") == []
