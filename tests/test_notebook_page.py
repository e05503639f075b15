"""The page on notebooks that were run: written from what they said."""

from __future__ import annotations

import datetime as dt

from bench.notebooks import PAGE, TWELVE, Ran, page, shown


def test_the_page_adds_up_what_was_run() -> None:
    """Wall-clock time and CPU time apart: the machine has other work."""
    printed = {"verdict": "x\n\nIn your environment the failure\noccurs (1 of 1).\n"}
    ran = Ran(printed, 90.0, 20.0, "{}")
    row = shown("one", ran)
    assert row == "| one | 90.0 | 20.0 | In your environment the failure occurs (1 of 1). |"
    text = page([row, row], [ran, ran], dt.date(2026, 11, 30))
    assert "Run on 2026-11-30" in text
    assert text.endswith(f"{row}\n{row}\n\n2 of 12 were run: 3.0 minutes, 40 CPU seconds.\n")


def test_the_page_in_docs_begins_with_the_first_of_the_twelve() -> None:
    """`make notebooks` writes it, after each of them."""
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    named = [row.split(" | ")[0].removeprefix("| ") for row in rows[1:]]
    assert named == list(TWELVE[: len(named)])
