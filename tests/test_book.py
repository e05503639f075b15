"""The published book passes every gate."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from fixbook.book import load_book
from fixbook.gates import GATES
from fixbook.gates.reading import Reading
from tests.real_book import real_book

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.book import Book


@pytest.fixture(scope="module")
def book() -> Book:
    return real_book()


@pytest.fixture(scope="module")
def reading(book: Book) -> Reading:
    return Reading(book)


@pytest.mark.parametrize("gate", GATES)
def test_gate(reading: Reading, gate: str) -> None:
    problems = list(GATES[gate](reading))
    assert not problems, "\n" + "\n".join(map(str, problems))


def test_every_article_under_test_is_answered(book: Book) -> None:
    """Each source article has its claims judged, and each claim leads to a part of an entry."""
    judged = {claim.source for item in book.entries.values() for claim in item.entry.said}
    assert judged == set(book.sources)


def test_a_broken_entry_says_nothing_of_its_rules(tmp_path: Path) -> None:
    """What it says of its rules cannot be read, so their folders are not called left over."""
    book = real_book()
    owned = next(rule for rule in book.rules.values() if not (rule.folder / "rule.yaml").exists())
    entry = book.entries[str(owned.entry)].folder
    shutil.copytree(entry, tmp_path / "recipes" / entry.name)
    shutil.copytree(owned.folder, tmp_path / "rules" / owned.folder.name)
    path = tmp_path / "recipes" / entry.name / "entry.yaml"
    path.write_text("title: [\n" + path.read_text("utf-8"), "utf-8")
    problems = load_book(tmp_path, strict=False).problems
    assert [str(one).partition(":")[0] for one in problems] == [str(path)]
