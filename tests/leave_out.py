"""Deselect the steps that another day runs, and say how many; skip tests whose turn it is not."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import pytest

from fixbook.recipe.reading.outline import read_outline
from tests.portion import (
    ASKED,
    PARTS,
    Portion,
    changed_paths,
    changed_since,
    day_asked,
    part_of,
    portion,
)
from tests.real_book import usable_book

if TYPE_CHECKING:
    import datetime as dt

ABOUT_STEPS = frozenset({"test_step", "test_a_sample_started_both_ways"})
# Tests that take long and ask the same of many cases: one case in so many is taken a day.
TURNS = {
    "test_a_cluster_that_goes_away_amid_a_triage_is_said_and_what_was_finished_stays": 4,
    "test_a_driver_that_is_killed_goes_on_where_it_was": 2,
    "test_a_notebook_in_its_turn": 10,
    "test_a_notebook_runs": 12,
    "test_a_published_run_is_predicted": 3,
    "test_a_recipe_runs_as_its_page_prints_it": 6,
    "test_a_rule_is_proven_by_its_tool": 2,
    "test_a_step_with_releases_of_its_own_is_left_alone": 3,
    "test_an_untruth_is_caught": 4,
    "test_answers_are_accessible": 2,
    "test_each_tool_is_read_and_predicted": 3,
    "test_every_button_copies_its_block": 2,
    "test_every_example_is_answered": 4,
    "test_every_header_can_be_resolved": 6,
    "test_every_page_with_blocks_loads_the_script_of_their_buttons": 2,
    "test_extremes": 3,
    "test_llamafactory_itself_drops_the_one_and_refuses_the_other": 3,
    "test_misspelt_key_in_a_file_is_named_by_both_checks": 3,
    "test_ms_swift_itself_has_these_options": 3,
    "test_ms_swift_itself_says_so": 3,
    "test_no_page_is_wider_than_a_phone": 2,
    "test_no_page_meets_its_policy_as_a_wall": 4,
    "test_no_secret_of_a_log_is_in_links_json_or_an_agents_answer": 4,
    "test_noise": 2,
    "test_of_two_ranks_the_recorders_decide": 2,
    "test_pages_are_accessible_and_quiet": 6,
    "test_pages_lead_to_where_they_are_mended": 4,
    "test_ray_writes_the_same_bytes": 2,
    "test_some_cases_of_every_group": 2,
    "test_text_names_phases_prices_and_assumptions": 2,
    "test_the_address_of_the_site_can_be_chosen": 4,
    "test_the_file_that_is_copied_is_the_one_to_download": 2,
    "test_the_findings_are_accessible": 2,
    "test_the_fix_is_on_the_first_screen": 2,
    "test_the_tool_objects_to_one_and_not_to_the_other": 12,
    "test_the_tool_takes_what_the_rule_lets_pass": 6,
    "test_the_wheel_carries_the_book_compiled": 2,
    "test_the_wheel_reads_its_book_and_writes_in_a_clone": 2,
    "test_what_gets_into_a_page_is_not_run": 3,
    "test_what_is_lost_was_not_run": 5,
    "test_what_triton_writes_is_machine_code": 3,
    "test_wrong_symptoms": 3,
    "test_wrong_values": 10,
}
_ROOT = Path(__file__).parents[1]
_SAID = pytest.StashKey[str]()


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the steps that another day runs, where a day is asked for.

    Args:
        config: The run.
        items: Its tests; what is left out is taken from them.
    """
    try:
        day = day_asked(os.environ.get(ASKED))
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    if day is None:
        return
    _take_turns(items, day)
    steps = {id(item): name for item in items if (name := step_of(item))}
    if not steps:
        return
    chosen = _portion(day)
    others = [item for item in items if steps.get(id(item), "") not in {"", *chosen.taken}]
    gone = {id(item) for item in others}
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if id(item) not in gone]
    config.stash[_SAID] = said(chosen, day)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what was left out."""
    if line := config.stash.get(_SAID, ""):
        terminalreporter.write_line(line)


def said(chosen: Portion, day: dt.date) -> str:
    """Return what the end of a run says of what it left out.

    Args:
        chosen: The steps that it took.
        day: Whose part they are.
    """
    every = len(chosen.taken) + chosen.left
    return (
        f"{chosen.left:,} of {every:,} steps were left to 'make verify': not run, not passed "
        f"({ASKED}={day}, part {part_of(day) + 1} of {PARTS})"
    )


def step_of(item: pytest.Item) -> str | None:
    """Return the step that a test is about, as ``slug/name``; None if it is about no step."""
    if isinstance(item, pytest.Function) and item.originalname in ABOUT_STEPS:
        return str(item.callspec.params["name"])
    return None


def _take_turns(items: list[pytest.Item], day: dt.date) -> None:
    """Skip the cases whose day it is not, but for rules, and files of single tests, just changed.

    Of a test with many cases a part is run on any day, so a changed file is not left unseen.
    """
    touched = _touched()
    seen: Counter[str] = Counter()
    for item in items:
        parts = TURNS.get(getattr(item, "originalname", ""))
        if parts is None:
            continue
        test, bracket, case = item.nodeid.partition("[")
        # Tests of a single case begin on days of their own, or one day would take them all.
        its_turn = (seen[test] + crc32(test.encode()) - day.toordinal()) % parts == 0
        seen[test] += 1
        changed = case.removesuffix("]") if bracket else test.partition("::")[0]
        if not its_turn and changed not in touched:
            item.add_marker(pytest.mark.skip(reason=f"another day's turn ({ASKED}={day})"))


def _touched() -> set[str]:
    """Return the rules, and the files of tests, that changed lately, where that can be known."""
    paths = changed_paths(_ROOT) or []
    rules = {path.split("/")[1] for path in paths if path.startswith("rules/")}
    return rules | {path for path in paths if path.startswith("tests/")}


def _portion(day: dt.date) -> Portion:
    book = usable_book()
    outlines = {item.slug: read_outline(item.recipe) for item in book.entries.values()}
    return portion(outlines, changed_since(_ROOT), day)
