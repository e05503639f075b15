"""``fixbook verify``: hold every entry against what its steps show, and record evidence."""

from __future__ import annotations

import sys
import time
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import click

from fixbook.book import SLUG, load_book
from fixbook.book_root import checkout
from fixbook.cli import report
from fixbook.cli.extras import need_extra
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
    from fixbook.log.signatures import Index
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
@click.option(
    "--ray",
    is_flag=False,
    flag_value="local",
    metavar="[ADDRESS]",
    help="Run steps as tasks of the Ray cluster at this address, or of one of this machine alone.",
)
@lang_option
@json_option
def command(**given: Any) -> int:
    """Run every step of the given entries, or of all, side by side.

    Steps are forked from processes that have imported their libraries, where they bear it; --cold
    starts each by itself. With --record, the steps that held are written into the entry's evidence;
    records of other steps stay. Each is written as soon as its step has ended: a run that is cut
    off goes on with --changed. A step that cannot run on this machine is recorded as skipped with
    the reason, never as passed. With --rehearse nothing is recorded. With --ray, steps run where a
    cluster has room for them and start cold; what ran on a node that was lost counts as not run.
    """
    return _verify(_Options(**given))


@dataclass(frozen=True, slots=True)
class _Options:
    """What was asked for, by the names of the command's options."""

    slugs: tuple[str, ...]
    recording: bool
    names: tuple[str, ...]
    machine_name: str | None
    on: str | None
    only_changed: bool
    shard: tuple[int, int] | None
    cold: bool
    folder: Path | None
    seconds: float | None
    rehearse: bool
    ray: str | None
    lang: Lang
    as_json: bool

    def __post_init__(self) -> None:
        if self.names and len(set(self.slugs)) != 1:
            raise click.BadParameter(_("goes with exactly one SLUG"), param_hint="--step")
        if self.rehearse and self.ray is not None:
            said = _("rehearsed steps have a GPU that stands in here: leave out one of the two")
            raise click.BadParameter(said, param_hint="--ray")

    def wanted(self, results: Results | None) -> Wanted:
        """Return which steps these options choose."""
        return Wanted(
            names=self.names,
            device="cuda" if self.rehearse else self.on,
            machine_name=self.machine_name,
            only=_only(results, rehearse=self.rehearse, changed=self.only_changed),
            again=self.recording or bool(self.names),
            shard=self.shard,
        )


def _verify(options: _Options) -> int:
    # a broken neighbour does not matter to named entries
    book = load_book(checkout() if options.recording else None, strict=not options.slugs)
    items = {item.slug: item for item in map(book.get, options.slugs or book.entries)}
    results = None
    if options.folder:
        results = Results(options.folder, options.machine_name, rehearsal=options.rehearse)
        items = {slug: results.holds(item) for slug, item in items.items()}
    wanted = options.wanted(results)
    planned = plan(items.values(), wanted)
    keeper = results or (Recorder(options.machine_name) if options.recording else None)
    budget, began = Budget(options.seconds), time.monotonic()
    jobs = jobs_of(planned.values(), wanted)
    if results:
        jobs = [job for job in jobs if not results.tried_enough(*job.key)]
    ran = _results(options, jobs, planned, index_of(book), budget)
    if not options.rehearse:
        ran = judge_beside_controls(ran, items, options.machine_name or machine().name)
    known = [result for one in planned.values() for result in one.known]
    followed = _followed(ran, jobs, planned, budget, keeper, options.lang, quiet=options.as_json)
    # Ray prints on stdout what its nodes tell, and that is the place of results alone.
    with nullcontext() if options.ray is None else redirect_stdout(sys.stderr):
        every = [*known, *followed]
    if options.as_json:
        rows = [result_row(result) for result in every]
        click.echo(printable_json({"schema_version": SCHEMA_VERSION, "steps": rows}))
    if not every and (options.only_changed or results):
        click.echo(_("nothing changed since it was recorded"), err=True)
        return DONE
    if keeper:
        keeper.finish(planned.values(), every)
    return _summary(every, time.monotonic() - began, len(budget.unfinished), options.lang)


def _results(
    options: _Options,
    jobs: Sequence[Job],
    planned: Mapping[str, Planned],
    index: Index,
    budget: Budget,
) -> Iterator[StepResult]:
    """Run steps here or on a cluster."""
    order = by_worth if options.on == "cuda" else in_order
    if options.ray is None:
        done = run_jobs(
            jobs,
            index,
            Event(),
            warm=not options.cold,
            budget=budget,
            rehearse=options.rehearse,
            order=order,
        )
        return (result for _job, result in done)
    need_extra("fixbook verify --ray", ["ray"], "ray")
    from fixbook.cluster.steps import run_jobs_on_ray

    digests = {
        (slug, name): digest
        for slug, one in planned.items()
        for name, digest in one.digests.items()
    }
    return run_jobs_on_ray(
        order(jobs), index, digests, options.ray, budget=budget, on_gpus=options.on != "cpu"
    )


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
