"""The labels of the measure of the first fix name what the book has, and misses are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.first_fix import (
    DRAWN,
    FIFTH,
    FOURTH,
    HELD,
    TEXT,
    THREADS,
    Asked,
    Sample,
    of_threads,
    report,
)
from tests.real_book import real_book, real_rows

if TYPE_CHECKING:
    from pathlib import Path

URL = "https://example.org/1"


@pytest.mark.parametrize("path", [THREADS, DRAWN, HELD, FOURTH, FIFTH], ids=lambda path: path.stem)
def test_each_label_names_a_fix_of_its_page(path: Path) -> None:
    rows = real_rows()
    for one in of_threads(path):
        fixes = {str(fix["id"]) for fix in rows["fixes"].get(one.slug, {}).get("fixes", [])}
        assert one.slug in rows["titles"], one
        assert one.fits <= (fixes or {TEXT}), one


class _Told(Asked):
    """Answers what a sample's text says, without a book."""

    def __init__(self) -> None:
        pass

    def first(self, sample: Sample) -> tuple[str, bool]:
        return sample.text, sample.text == "asked"


def test_misses_are_counted_by_their_kind(capsys: pytest.CaptureFixture[str]) -> None:
    logs = [("a", {"a"}), ("asked", {"asked"}), ("b", {"a"}), ("(nothing)", {"a"})]
    logs += [("(other)", {"a"}), ("a", set())]
    report("logs", _Told(), [Sample("page", URL, text, frozenset(fits)) for text, fits in logs])
    printed = capsys.readouterr().out
    assert "fits in 2 of 6 (0.333), 1 by a message's first question" in printed
    assert "answered by no page: 1, by another: 1; not said: 1" in printed
    assert f"page  {URL}: a, not said by the page" in printed


def test_a_page_of_a_message_answers_by_its_text() -> None:
    log = "RuntimeError: cutlassF: no kernel found to launch!"
    asked = Asked(real_book())
    assert asked.first(Sample("sdpa-no-kernel", URL, log, frozenset())) == (TEXT, False)
    assert asked.first(Sample("ninja-missing", URL, log, frozenset())) == (
        "(sdpa-no-kernel)",
        False,
    )
    assert asked.first(Sample("ninja-missing", URL, "fine", frozenset())) == ("(nothing)", False)
