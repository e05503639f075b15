"""Measures are filled into texts, and what is not recorded is an error that names its place."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.problem import BookError
from fixbook.text import show_figure
from generator.view.library import load_library
from tests.site.small_book import write_book
from tests.site.small_entry import ENTRY, SLUG

if TYPE_CHECKING:
    from pathlib import Path

    from generator.view.library import Library


@pytest.mark.parametrize(
    ("value", "spec", "shown"),
    [
        (15, "", "15"),
        (0.1 + 0.2, "", "0.3"),
        (True, "", "yes"),
        ("bf16", "", "bf16"),
        ([0, 2, 4], "", "0, 2, 4"),
        ([1, 2], "percent", "100%, 200%"),
        (0.123456, "percent", "12.3%"),
        (0.00004, "percent", "0.004%"),
        (0, "percent", "0%"),
        (1.0, "percent", "100%"),
        (3.5 * 1024**3, "gib", "3.5\N{NO-BREAK SPACE}GiB"),
        (24 * 1024**2, "mib", "24\N{NO-BREAK SPACE}MiB"),
        (3.44, "times", "3.44×"),
        (12.06, "seconds", "12.1\N{NO-BREAK SPACE}s"),
        (133120, ",d", "133,120"),
        (0.5, ".2f", "0.50"),
    ],
)
def test_values_are_written_down(value: Any, spec: str, shown: str) -> None:
    assert show_figure(value, spec, "en") == shown


def test_booleans_are_words_of_the_language() -> None:
    assert (show_figure(True, "", "zh"), show_figure(False, "", "zh")) == ("是", "否")  # noqa: FBT003


@pytest.mark.parametrize(("value", "spec"), [("text", ".2f"), (1, "furlongs"), (1.5, "d")])
def test_a_wrong_format_is_refused(value: Any, spec: str) -> None:
    with pytest.raises(ValueError, match=r"is no format"):
        show_figure(value, spec, "en")


def test_texts_hold_what_was_measured(library: Library) -> None:
    cause = library.dossiers[SLUG].entry.cause
    assert "3\N{NO-BREAK SPACE}GiB" in cause.en
    assert "3\N{NO-BREAK SPACE}GiB" in cause.zh


@pytest.mark.parametrize(
    ("placeholder", "complaint"),
    [
        ("{{nowhere.size}}", "step 'nowhere' has no evidence"),
        ("{{fits.speed}}", "did not measure 'speed'; it measured found, size_bytes"),
        ("{{limit-raised.by_size}}", "is a table"),
        ("{{fits.size_bytes|furlongs}}", "'furlongs' is no format"),
        ("{{limit-raised-on-a-gpu.size_bytes}}", "has no evidence"),
    ],
)
def test_what_is_not_recorded_is_an_error(tmp_path: Path, placeholder: str, complaint: str) -> None:
    entry = copy.deepcopy(ENTRY)
    entry["fixes"][0]["text"]["en"] = placeholder
    root = write_book(tmp_path, entry)
    with pytest.raises(BookError) as caught:
        load_library(root)
    message = str(caught.value)
    assert f"{SLUG}: fixes.0.text.en" in message
    assert complaint in message
    assert "fixbook verify --record" in message


def test_a_draft_shows_the_name_of_what_is_missing(tmp_path: Path) -> None:
    root = write_book(tmp_path, evidence=False)
    entry = load_library(root, draft=True).dossiers[SLUG].entry
    assert "⟨too-large.size_bytes⟩" in entry.cause.en
