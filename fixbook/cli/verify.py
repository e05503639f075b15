"""``fixbook verify``: hold every entry against what its steps show, and record evidence."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from fixbook.book import SLUG, load_book
from fixbook.book_root import checkout
from fixbook.cli import report
from fixbook.cli.options import SCHEMA_VERSION, device_option, json_option, lang_option, parse_shard
from fixbook.cli.plan import Only, Planned, Wanted, jobs_of, plan
from fixbook.cli.progress import Progress
from fixbook.cli.recording import Recorder
from fixbook.cli.results import Results
from fixbook.environment import machine
from fixbook.exits import DONE, FAILED, INTERRUPTED, NOTHING_RAN
from fixbook.index.build import index_of
from fixbook.recipe.record import judge_beside_controls
from fixbook.recipe.running import Budget, by_worth, in_order, run_jobs
from fixbook.text import _, in_language, printable_json
from fixbook.trial.data import result_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from fixbook.book import BookEntry
    from fixbook.recipe.record import StepResult
    from fixbook.recipe.running import Job
    from fixbook.text import Lang


def _machine_name(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not SLUG.fullmatch(value):
        said = _("{value!r} is not of the form 'h100' or 'two-h100'")
        raise click.BadParameter(said.format(value=value))
    return value


@click.command("verify")
@click.argument("slugs", nargs=-1, metavar="[SLUG]...")
@click.option("--record", "recording", is_flag=True, help="Write evidence of the steps that hold.")
@click.option("--step", "names", multiple=True, metavar="STEP", help="Only this step; repeatable.")
@click.option(
    "--machine",
    "machine_name",
    metavar="NAME",
    callback=_machine_name,
    help="Name of the evidence file; by default 'cpu', or the GPU's model.",
)
@device_option
@click.option(
    "--changed",
    "only_changed",
    is_flag=True,
    help="Only steps whose record does not count any more.",
)
@click.option(
    "--shard", metavar="I/N", callback=parse_shard, help="Only part I of N parts of equal cost."
)
@click.option("--cold", is_flag=True, help="Start every step as a fresh interpreter.")
@click.option(
    "--results",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write evidence and the logs of failures into this folder, after each step; steps that "
    "are recorded there are not run again.",
)
@click.option(
    "--budget",
    "seconds",
    type=click.FloatRange(min=1),
    metavar="SECONDS",
    help="End after this time; steps that do not fit are not started.",
)
@click.option(
    "--rehearse",
    is_flag=True,
    help="Run GPU steps on GPUs that stand in, or up to their first CUDA call.",
)
@lang_option
@json_option
def command(
    slugs: tuple[str, ...],
    recording: bool,
    names: tuple[str, ...],
    machine_name: str | None,
    on: str | None,
    only_changed: bool,
    shard: tuple[int, int] | None,
    cold: bool,
    folder: Path | None,
    seconds: float | None,
    rehearse: bool,
    lang: Lang,
    as_json: bool,
) -> int:
    """Run every step of the given entries, or of all, side by side.

    Steps are forked from processes that have imported their libraries, where they bear it; --cold
    starts each by itself. With --record, the steps that held are written into the entry's evidence;
    records of other steps stay. Each is written as soon as its step has ended: a run that is cut
    off goes on with --changed. A step that cannot run on this machine is recorded as skipped with
    the reason, never as passed. With --rehearse nothing is recorded.
    """
    root = checkout() if recording else None
    book = load_book(root, strict=not slugs)  # a broken neighbour does not matter to named entries
    items = {item.slug: item for item in map(book.get, slugs or book.entries)}
    if names and len(items) != 1:
        raise click.BadParameter(_("goes with exactly one SLUG"), param_hint="--step")
    results = Results(folder, machine_name, rehearsal=rehearse) if folder else None
    if results:
        items = {slug: results.holds(item) for slug, item in items.items()}
    wanted = Wanted(
        names=names,
        device="cuda" if rehearse else on,
        machine_name=machine_name,
        only=_only(results, rehearse=rehearse, changed=only_changed),
        again=recording or bool(names),
        shard=shard,
    )
    planned = plan(items.values(), wanted)
    keeper = results or (Recorder(machine_name) if recording else None)
    budget, began = Budget(seconds), time.monotonic()
    jobs = jobs_of(planned.values(), wanted)
    if results:
        jobs = [job for job in jobs if not results.tried_enough(*job.key)]
    done = run_jobs(
        jobs,
        index_of(book),
        Event(),
        warm=not cold,
        budget=budget,
        rehearse=rehearse,
        order=by_worth if on == "cuda" else in_order,
    )
    bare = (result for _job, result in done)
    ran = bare if rehearse else judge_beside_controls(bare, items, machine_name or machine().name)
    known = [result for one in planned.values() for result in one.known]
    every = [*known, *_followed(ran, jobs, planned, budget, keeper, lang, quiet=as_json)]
    if as_json:
        rows = [result_row(result) for result in every]
        click.echo(printable_json({"schema_version": SCHEMA_VERSION, "steps": rows}))
    if not every and (only_changed or results):
        click.echo(_("nothing changed since it was recorded"), err=True)
        return DONE
    if keeper:
        keeper.finish(planned.values(), every)
    return _summary(every, time.monotonic() - began, len(budget.unfinished), lang)


def _only(results: Results | None, *, rehearse: bool, changed: bool) -> Only:
    if results and not rehearse:
        return "stale"  # their controls are recorded there
    return "stale with controls" if changed else "all"


def _followed(
    ran: Iterable[StepResult],
    jobs: Sequence[Job],
    planned: Mapping[str, Planned],
    budget: Budget,
    keeper: Results | Recorder | None,
    lang: Lang,
    *,
    quiet: bool,
) -> Iterator[StepResult]:
    """Keep each result as soon as it is there, and say what it is."""
    progress = Progress(jobs, lang)
    try:
        for result in ran:
            one = planned[result.slug]
            if keeper and (result.slug, result.step.name) not in budget.unfinished:
                keeper.add(one, result)
            click.echo(progress.line(result), err=True)
            if not quiet and result.verdict.status == "failed":
                click.echo(report.describe(result, _title(one.item, result, lang), lang))
            yield result
    except KeyboardInterrupt:
        if keeper is None:
            raise
        click.echo(_("interrupted; {what}").format(what=keeper.kept()), err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None


def _title(item: BookEntry, result: StepResult, lang: Lang) -> str:
    title = item.entry.title_of(result.step.name, result.step.target)
    return title.of(lang) if title else ""


def _summary(results: list[StepResult], seconds: float, unfinished: int, lang: Lang) -> int:
    count = dict.fromkeys(("passed", "failed", "skipped"), 0)
    for result in results:
        count[result.verdict.status] += 1
    used = sum(result.outcome.cpu_seconds for result in results if result.outcome)
    said = _(
        "{passed} passed, {failed} failed, {skipped} skipped "
        "in {seconds:.0f} s, {used:.0f} CPU-seconds"
    )
    click.echo(said.format(**count, seconds=seconds, used=used), err=True)
    if unfinished:
        said = _("{count} of them not started or not finished: no time left")
        click.echo(said.format(count=unfinished), err=True)
    for result in results:
        if result.verdict.status == "failed":
            where = f"{result.slug} / {result.step.name}"
            reason = in_language(result.verdict.reason, lang)
            line = _("{where}: {what}").format(where=where, what=reason)
            click.echo(click.style(line, fg="red"), err=True)
    if count["failed"]:
        return FAILED
    return DONE if count["passed"] else NOTHING_RAN
