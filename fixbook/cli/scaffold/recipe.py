"""TODO one sentence: what fails, and why."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import LIMIT, train

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet


def attempt(**changes: Any) -> dict[str, int]:
    """TODO measure what is in force (from the real object), then fail or return measures."""
    measure(retries=changes.get("retries", 0))
    return train(**changes)


@reproduce()
def it_breaks() -> dict[str, int]:
    """Fail the way users see it fail."""
    return attempt()


@fix("cut-it", control="it-breaks")
def cut() -> dict[str, int]:
    """The same call with the fix alone."""
    return attempt(cut=True)


@non_fix("try-again", control="it-breaks")
def tried_again() -> dict[str, int]:
    """The same call with the advice alone; the measure shows that it was in force."""
    return attempt(retries=3)


def look(*, cut: bool = False) -> dict[str, bool]:
    """Run what the page offers for copying, as it is printed there, on the failure or the fix."""
    size = min(9, LIMIT) if cut else 9
    return {"found": snippet("too-large", limit=LIMIT)["too_large"](size)}


@detect(found=True)
def measured_where_it_fails() -> dict[str, bool]:
    """The measurement finds it."""
    return look()


@detect(found=False, control="measured-where-it-fails")
def measured_where_it_works() -> dict[str, bool]:
    """The same measurement on the first fix: it finds nothing there."""
    return look(cut=True)


if __name__ == "__main__":
    main(__file__)
