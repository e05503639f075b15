"""``fixbook verify``: hold every entry against what its steps show, and record evidence."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from threading import Event
from typing import TYPE_CHECKING

import click

from fixbook.book import load_book
from fixbook.cli import report
from fixbook.cli.exits import DONE, FAILED, NOTHING_RAN
from fixbook.cli.options import json_option, lang_option
from fixbook.cli.recording import record_results
from fixbook.cli.run import choose
from fixbook.fields import SLUG
from fixbook.index.build import index_of
from fixbook.recipe.control import judged
from fixbook.recipe.digest import digests_of
from fixbook.recipe.libraries import with_libraries
from fixbook.recipe.outline import read_outline
from fixbook.recipe.verify import Job, run_jobs

if TYPE_CHECKING:
    from fixbook.entry import Lang
    from fixbook.recipe.result import StepResult


def _machine_name(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not SLUG.fullmatch(value):
        raise click.BadParameter(f"{value!r} is not of the form 'h100' or 'two-h100'")
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
@lang_option
@json_option
def command(
    slugs: tuple[str, ...],
    recording: bool,
    names: tuple[str, ...],
    machine_name: str | None,
    on: str | None,
    lang: Lang,
    as_json: bool,
) -> int:
    """Run every step of the given entries, or of all, side by side.

    With --record, the steps that held are written into the entry's evidence; records of other
    steps stay. A step that cannot run on this machine is recorded as skipped with the reason,
    never as passed.
    """
    book = load_book(strict=not slugs)  # a broken neighbour does not matter to named entries
    items = [book.get(slug) for slug in slugs] or list(book.entries.values())
    outlines = {item.slug: read_outline(item.recipe) for item in items}
    if names and len(items) != 1:
        raise click.BadParameter("goes with exactly one SLUG", param_hint="--step")
    digests = {item.slug: digests_of(item, outlines[item.slug]) for item in items}
    jobs = [
        Job(item, step)
        for item in items
        for step in with_libraries(
            item, outlines[item.slug], choose(outlines[item.slug], names, on)
        )
    ]
    began = time.monotonic()
    results: dict[str, list[StepResult]] = defaultdict(list)
    ran = (result for _, result in run_jobs(jobs, index_of(book), Event()))
    for result in judged(ran, {item.slug: item for item in items}):
        results[result.slug].append(result)
        if not as_json:
            title = book.entries[result.slug].entry.title_of(result.step.name, result.step.target)
            text = report.describe(result, title.of(lang) if title else "", lang)
            click.echo(f"{result.slug}: {text}")
    if as_json:
        rows = [report.as_json(result) for found in results.values() for result in found]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    if recording:
        for item in items:
            found, outline = results[item.slug], outlines[item.slug]
            record_results(item, outline, found, digests[item.slug], machine_name)
    return _summary([r for found in results.values() for r in found], time.monotonic() - began)


def _summary(results: list[StepResult], seconds: float) -> int:
    count = dict.fromkeys(("passed", "failed", "skipped"), 0)
    for result in results:
        count[result.verdict.status] += 1
    text = ", ".join(f"{number} {status}" for status, number in count.items())
    click.echo(f"{text} in {seconds:.0f} s", err=True)
    for result in results:
        if result.verdict.status == "failed":
            reason = f"{result.slug} / {result.step.name}: {result.verdict.reason}"
            click.echo(click.style(reason, fg="red"), err=True)
    if count["failed"]:
        return FAILED
    return DONE if count["passed"] else NOTHING_RAN
