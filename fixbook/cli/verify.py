"""``fixbook verify``: hold every entry against what its steps show, and record evidence."""

from __future__ import annotations

import datetime as dt
import json
import time
from collections import defaultdict
from threading import Event
from typing import TYPE_CHECKING

import click

from fixbook.book import BookEntry, load_book
from fixbook.cli import report
from fixbook.cli.exits import DONE, FAILED, NOTHING_RAN
from fixbook.cli.options import json_option, lang_option
from fixbook.cli.run import choose, require_libraries
from fixbook.environment import machine
from fixbook.log.signatures import index_of
from fixbook.recipe.control import judged
from fixbook.recipe.digest import digest_of
from fixbook.recipe.evidence import evidence_of, record
from fixbook.recipe.outline import Outline, read_outline
from fixbook.recipe.verify import Job, run_jobs

if TYPE_CHECKING:
    from fixbook.entry import Lang
    from fixbook.recipe.result import StepResult


@click.command("verify")
@click.argument("slugs", nargs=-1, metavar="[SLUG]...")
@click.option("--record", "recording", is_flag=True, help="Write evidence for entries that hold.")
@click.option("--on", type=click.Choice(["cpu", "cuda"]), help="Only steps for this device.")
@lang_option
@json_option
def command(
    slugs: tuple[str, ...],
    recording: bool,
    on: str | None,
    lang: Lang,
    as_json: bool,
) -> int:
    """Run every step of the given entries, or of all, side by side.

    With --record, an entry whose steps all held gets its evidence written. A step that cannot run
    on this machine is recorded as skipped with the reason, never as passed.
    """
    book = load_book(strict=not slugs)  # a broken neighbour does not matter to named entries
    items = [book.get(slug) for slug in slugs] or list(book.entries.values())
    outlines = {item.slug: read_outline(item.recipe) for item in items}
    for outline in outlines.values():
        require_libraries(outline)
    digests = {item.slug: digest_of(item) for item in items}
    jobs = [Job(item, step) for item in items for step in choose(outlines[item.slug], (), on)]
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
            _record(item, outlines[item.slug], results[item.slug], digests[item.slug])
    return _summary([r for found in results.values() for r in found], time.monotonic() - began)


def _record(
    item: BookEntry, outline: Outline, results: list[StepResult], digest: dict[str, str]
) -> None:
    failed = [result.step.name for result in results if result.verdict.status == "failed"]
    left_out = set(outline.steps) - {result.step.name for result in results}
    if failed or left_out:
        why = (
            f"failed: {', '.join(failed)}" if failed else f"not run: {', '.join(sorted(left_out))}"
        )
        click.echo(f"{item.slug}: not recorded ({why})", err=True)
        return
    if digest != digest_of(item):
        click.echo(f"{item.slug}: not recorded (its files changed during the run)", err=True)
        return
    evidence = evidence_of(item, outline, results, machine(), dt.datetime.now(dt.UTC), digest)
    click.echo(f"{item.slug}: recorded {record(item, evidence)}", err=True)


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
