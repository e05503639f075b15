"""Steps are ordered by cost, divided among machines, and the time left is said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
import pytest

from fixbook.cli.options import parse_shard
from fixbook.cli.progress import Progress
from fixbook.recipe.author.steps import Needs
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.record.result import StepResult, Verdict
from fixbook.recipe.running import schedule
from fixbook.recipe.running.schedule import Job, in_order, shard, sharing
from fixbook.recipe.running.selection import changed_steps, steps_run_once
from tests.conftest import RECIPE

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]


def jobs_of(book: Book) -> list[Job]:
    item = book.get("widget-overflow")
    return [Job(item, step) for step in read_outline(item.recipe).steps.values()]


def test_cold_steps_come_first_then_the_longest(make_book: MakeBook) -> None:
    recipe = RECIPE.replace('@fix("mend-it",', '@fix("mend-it", timeout_s=1000,')
    recipe = recipe.replace("@detect(found=True)", '@detect(found=True, start="cold", timeout_s=1)')
    names = [job.step.name for job in in_order(jobs_of(make_book(recipe=recipe)))]
    assert names[:2] == ["broken-widget", "mended"]


@pytest.mark.parametrize(
    ("first", "second", "shared"),
    [
        ({}, {}, True),
        ({"versions": ("a==1",)}, {"versions": ("a==1",)}, True),
        ({"versions": ("a==1",)}, {"versions": ("a==2",)}, False),
        ({"env": {"A": "1"}}, {"env": {"A": "1"}}, True),
        ({"env": {"A": "1"}}, {"env": {"A": "2"}}, False),
        ({"import_first": "device"}, {}, False),
    ],
)
def test_what_shares_a_process(
    make_book: MakeBook, first: dict[str, Any], second: dict[str, Any], *, shared: bool
) -> None:
    jobs = [
        replace(job, step=replace(job.step, needs=Needs(**needs)))
        for job, needs in zip(jobs_of(make_book())[:2], (first, second), strict=True)
    ]
    forked = sharing(jobs)
    assert (len(forked) == 2 and len(set(forked.values())) == 1) is shared


def test_a_process_for_one_alone_does_not_pay(make_book: MakeBook) -> None:
    job = jobs_of(make_book())[0]
    for needs, forked in (
        (Needs(), True),
        (Needs(versions=("a==1",)), False),
        (Needs(versions=("a==1",), ranks=2), True),
    ):
        one = replace(job, step=replace(job.step, needs=needs))
        assert (job.key in sharing([one])) is forked


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_shards_are_a_partition_and_keep_controls(make_book: MakeBook, count: int) -> None:
    jobs = jobs_of(make_book())
    parts = [shard(jobs, number, count) for number in range(1, count + 1)]
    assert sorted(job.key for part in parts for job in part) == sorted(job.key for job in jobs)
    for part in parts:
        names = {job.step.name for job in part}
        assert {job.step.control for job in part if job.step.control} <= names
    assert parts == [shard(jobs, number, count) for number in range(1, count + 1)]


@pytest.mark.parametrize("text", ["0/2", "3/2", "a/b", "2", "-1/2"])
def test_wrong_shards(text: str) -> None:
    with pytest.raises(click.BadParameter, match="not of the form 2/5"):
        parse_shard(None, None, text)  # type: ignore[arg-type]


def test_changed_brings_the_control(make_book: MakeBook) -> None:
    outline = read_outline(make_book().get("widget-overflow").recipe)
    steps = list(outline.steps.values())
    assert [step.name for step in changed_steps(steps, outline, {"mended": "is not recorded"})] == [
        "it-breaks",
        "mended",
    ]
    assert changed_steps(steps, outline, {}) == []


def test_recorded_once_unless_stale(make_book: MakeBook) -> None:
    recipe = RECIPE.replace('@fix("mend-it",', '@fix("mend-it", record_once="takes an hour",')
    item = make_book(recipe=recipe).get("widget-overflow")
    steps = list(read_outline(item.recipe).steps.values())
    left_out = steps_run_once(item, steps, {})
    assert left_out["mended"].verdict.reason == "recorded once, not on every run: takes an hour"
    assert steps_run_once(item, steps, {"mended": "changed"}) == {}


def test_progress_counts_down(make_book: MakeBook) -> None:
    jobs = jobs_of(make_book())
    progress = Progress(jobs, "en")
    lines = [
        progress.line(StepResult(job.item.slug, job.step, Verdict("passed", ""))) for job in jobs
    ]
    assert all(f"{n} of {len(jobs)}" in line for n, line in enumerate(lines, 1))
    assert "left" in lines[0]
    assert "left" not in lines[-1]


def test_a_step_of_many_cores_costs_as_many(
    make_book: MakeBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three steps alike but for their ranks: the wide one is a part of its own."""
    monkeypatch.setattr(schedule, "expected_seconds", lambda jobs: {job.key: 1.0 for job in jobs})
    one = jobs_of(make_book())[0]
    jobs = [
        replace(one, step=replace(one.step, name=name, needs=Needs(ranks=ranks)))
        for name, ranks in (("narrow", 1), ("slim", 1), ("wide", 4))
    ]
    assert [job.cores for job in jobs] == sorted(job.cores for job in jobs)
    assert jobs[-1].cores > 2 * jobs[0].cores
    parts = [{job.step.name for job in shard(jobs, number, 2)} for number in (1, 2)]
    assert parts == [{"wide"}, {"narrow", "slim"}]
