"""Deselect the tests of steps that are not of this run's portion, and say how many those are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fixbook.book import load_book
from fixbook.recipe.reading.outline import read_outline
from tests.portion import ASKED, PARTS, Portion, changed_since, day_asked, part_of, portion

if TYPE_CHECKING:
    import datetime as dt

ABOUT_STEPS = frozenset({"test_step", "test_a_sample_started_both_ways"})
# Load torch anew for each: one of them a day.
BY_TURNS = frozenset({"test_a_recipe_runs_as_its_page_prints_it", "test_a_notebook_in_its_turn"})
_ROOT = Path(__file__).parents[1]
_SAID = pytest.StashKey[str]()


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what another day runs, where a day is asked for.

    Args:
        config: The run.
        items: Its tests; what is left out is taken from them.
    """
    try:
        day = day_asked(os.environ.get(ASKED))
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    steps = {id(item): name for item in items if (name := step_of(item))}
    if day is None or not steps:
        return
    chosen = _portion(day)
    others = [item for item in items if steps.get(id(item), "") not in {"", *chosen.taken}]
    waiting = _waiting(items, day)
    gone = {id(item) for item in (*others, *waiting)}
    config.hook.pytest_deselected(items=[*others, *waiting])
    items[:] = [item for item in items if id(item) not in gone]
    config.stash[_SAID] = said(chosen, day, len(waiting))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what was left out."""
    if line := config.stash.get(_SAID, ""):
        terminalreporter.write_line(line)


def said(chosen: Portion, day: dt.date, waiting: int = 0) -> str:
    """Return what the end of a run says of what it left out.

    Args:
        chosen: The steps that it took.
        day: Whose part they are.
        waiting: How many were not run with uv or as a notebook, as another day runs them.
    """
    every = len(chosen.taken) + chosen.left
    more = f", and {waiting} runs with uv or as a notebook to other days" if waiting else ""
    return (
        f"{chosen.left:,} of {every:,} steps were left to 'make verify'{more}: not run, not passed "
        f"({ASKED}={day}, part {part_of(day) + 1} of {PARTS})"
    )


def step_of(item: pytest.Item) -> str | None:
    """Return the step that a test is about, as ``slug/name``; None if it is about no step."""
    if isinstance(item, pytest.Function) and item.originalname in ABOUT_STEPS:
        return str(item.callspec.params["name"])
    return None


def _waiting(items: list[pytest.Item], day: dt.date) -> list[pytest.Item]:
    """Return the tests that another day runs, of those that take turns."""
    names = [getattr(item, "originalname", "") for item in items]
    waiting = []
    for turn in sorted(BY_TURNS & set(names)):
        own = [item for item, name in zip(items, names, strict=True) if name == turn]
        waiting += [item for at, item in enumerate(own) if at != day.toordinal() % len(own)]
    return waiting


def _portion(day: dt.date) -> Portion:
    book = load_book(strict=False)
    outlines = {item.slug: read_outline(item.recipe) for item in book.entries.values()}
    return portion(outlines, changed_since(_ROOT), day)
