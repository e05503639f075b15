"""A few untruths planted into the real book are caught: `bench.untruths` plants them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.untruth.draft import copy_of
from bench.untruths import UNTRUTHS, plant_all
from fixbook.book_root import book_root

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.book import Book

CHEAP = {
    "two differences from the control": "controls",
    "expect of a fix widened, so that its control meets it": "records",
    "in_force holds on the control, too": "records",
    "skipped step recorded as passed": "records",
    "last sentence dropped in one language": "parity",
    "snippet changed in entry.yaml alone": "executed",
    "a release that raises said not to, in both languages": "releases",
    "two rows of a table of names exchanged": "successors",
    "a fix that leaves out what its control does, and differs": "removals",
    "other devices than the step measured": "literals",
}


def test_names_are_unique_and_most_have_to_be_caught() -> None:
    assert len({one.name for one in UNTRUTHS}) == len(UNTRUTHS) >= 45
    assert sum(not one.why_not for one in UNTRUTHS) >= 45
    assert CHEAP.keys() <= {one.name for one in UNTRUTHS}


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return copy_of(book_root(), tmp_path_factory.mktemp("clean") / "book")


@pytest.mark.parametrize("name", CHEAP)
def test_an_untruth_is_caught(name: str, clean: Book, tmp_path: Path) -> None:
    untruth = next(one for one in UNTRUTHS if one.name == name)
    (row,) = plant_all(clean, [untruth], tmp_path / "spoilt", {CHEAP[name]})
    assert row.slug, "no entry has what it needs"
    assert CHEAP[name] in row.caught
