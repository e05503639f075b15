"""``fixbook verify``: hold every entry against what its steps show, and record evidence."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from fixbook.book import load_book
from fixbook.cli import report
from fixbook.cli.exits import DONE, FAILED, INTERRUPTED, NOTHING_RAN
from fixbook.cli.options import json_option, lang_option, parse_shard
from fixbook.cli.progress import Progress
from fixbook.cli.recording import record_results
from fixbook.cli.results import Results
from fixbook.cli.run import choose
from fixbook.environment import machine
from fixbook.fields import SLUG
from fixbook.i18n import _
from fixbook.index.build import index_of
from fixbook.recipe.budget import Budget
from fixbook.recipe.control import judged
from fixbook.recipe.digest import digests_of
from fixbook.recipe.libraries import with_libraries
from fixbook.recipe.outline import read_outline
from fixbook.recipe.schedule import Job
from fixbook.recipe.schedule import shard as part
from fixbook.recipe.selection import changed, recorded_once, stale
from fixbook.recipe.verify import run_jobs
from fixbook.spoken import in_language

if TYPE_CHECKING:
    from fixbook.book import BookEntry
    from fixbook.entry import Lang
    from fixbook.recipe.result import StepResult


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
@click.option("--on", type=click.Choice(["cpu", "cuda"]), help="Only steps for this device.")
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
@click.option("--rehearse", is_flag=True, help="Run GPU steps up to their first CUDA call.")
@lang_option
@json_option
def command(  # noqa: C901, PLR0912  (one branch per option; each does its work elsewhere)
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
    records of other steps stay. A step that cannot run on this machine is recorded as skipped with
    the reason, never as passed. With --rehearse nothing is recorded.
    """
    book = load_book(strict=not slugs)  # a broken neighbour does not matter to named entries
    items = {item.slug: item for item in map(book.get, slugs or book.entries)}
    if names and len(items) != 1:
        raise click.BadParameter(_("goes with exactly one SLUG"), param_hint="--step")
    written = Results(folder, machine_name, rehearsal=rehearse) if folder else None
    if written:
        items = {slug: written.holds(item) for slug, item in items.items()}
    outlines = {slug: read_outline(item.recipe) for slug, item in items.items()}
    digests = {slug: digests_of(item, outlines[slug]) for slug, item in items.items()}
    jobs: list[Job] = []
    results: dict[str, list[StepResult]] = defaultdict(list)
    for slug, item in items.items():
        device = "cuda" if rehearse else on
        steps = with_libraries(item, outlines[slug], choose(outlines[slug], names, device))
        why = stale(item, outlines[slug], machine_name)
        if written and not rehearse:
            steps = [step for step in steps if step.name in why]  # their controls are recorded
        elif only_changed:
            steps = changed(steps, outlines[slug], why)
        once = {} if recording or names else recorded_once(item, steps, why)
        results[slug] += once.values()
        jobs += [Job(item, step) for step in steps if step.name not in once]
    jobs = part(jobs, *shard) if shard else jobs
    began, stop, budget = time.monotonic(), Event(), Budget(seconds)
    progress = Progress(jobs, lang)
    done = run_jobs(jobs, index_of(book), stop, warm=not cold, budget=budget, rehearse=rehearse)
    ran = (result for _job, result in done)
    try:
        for result in ran if rehearse else judged(ran, items, machine_name or machine().name):
            slug = result.slug
            results[slug].append(result)
            if written and (slug, result.step.name) not in budget.unfinished:
                written.add(items[slug], outlines[slug], result, digests[slug])
            click.echo(progress.line(result), err=True)
            if not as_json and result.verdict.status == "failed":
                click.echo(report.describe(result, _title(items[slug], result, lang), lang))
    except KeyboardInterrupt:
        if not written:
            raise
        click.echo(
            _("interrupted; what ended before is in {folder}").format(folder=folder), err=True
        )
        return INTERRUPTED
    if as_json:
        rows = [report.as_json(result) for found in results.values() for result in found]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    if recording and not written:
        for slug, item in items.items():
            record_results(item, outlines[slug], results[slug], digests[slug], machine_name)
    every = [result for found in results.values() for result in found]
    if (only_changed or written) and not every:
        click.echo(_("nothing changed since it was recorded"), err=True)
        return DONE
    if written:
        path = written.finish(every, outlines.values())
        click.echo(_("summary: {path}").format(path=path), err=True)
    return _summary(every, time.monotonic() - began, len(budget.unfinished), lang)


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
