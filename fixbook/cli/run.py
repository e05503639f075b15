"""``fixbook run SLUG``: execute an entry's steps and say what each showed."""

from __future__ import annotations

import dataclasses
from threading import Event
from typing import TYPE_CHECKING

import click

from fixbook.book import Book, BookEntry, load_book
from fixbook.cli import report
from fixbook.cli.exits import DONE, FAILED, NOTHING_RAN
from fixbook.cli.options import json_option, lang_option
from fixbook.i18n import _
from fixbook.index.build import index_of
from fixbook.printable import printable_json
from fixbook.problem import BookError, Problem
from fixbook.recipe.control import judged
from fixbook.recipe.libraries import with_libraries
from fixbook.recipe.outline import Outline, read_outline
from fixbook.recipe.schedule import Job
from fixbook.recipe.verify import run_jobs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.entry import Lang
    from fixbook.recipe.steps import Step


@click.command("run")
@click.argument("slug")
@click.option("--step", "names", multiple=True, metavar="STEP", help="Only this step; repeatable.")
@click.option("--on", type=click.Choice(["cpu", "cuda"]), help="Only steps for this device.")
@click.option(
    "--versions",
    metavar="NAME==VERSION,...",
    help="Run on these exact versions, installed into an overlay beside the environment.",
)
@click.option("--warm", is_flag=True, help="Fork steps from a process that has the imports done.")
@lang_option
@json_option
def command(
    slug: str,
    names: tuple[str, ...],
    on: str | None,
    versions: str | None,
    warm: bool,
    lang: Lang,
    as_json: bool,
) -> int:
    """Run the steps of entry SLUG: the failure, the measurement, the fixes, what does not help."""
    book = load_book(strict=False)
    return run_entry(book, book.get(slug), names, on, versions, lang, warm=warm, as_json=as_json)


def run_entry(
    book: Book,
    item: BookEntry,
    names: Sequence[str],
    on: str | None,
    versions: str | None,
    lang: Lang,
    *,
    warm: bool,
    as_json: bool,
) -> int:
    """Run steps of one entry and print their results.

    Returns:
        The exit code.
    """
    outline = read_outline(item.recipe)
    steps = [_with_versions(step, versions) for step in choose(outline, names, on)]
    steps = with_libraries(item, outline, steps)
    jobs = [Job(item, step) for step in steps]

    def started(job: Job) -> None:
        if not as_json:
            click.echo(report.announce(job, lang), err=True)

    results = []
    ran = (result for _job, result in run_jobs(jobs, index_of(book), Event(), started, warm=warm))
    for result in judged(ran, {item.slug: item}):
        results.append(result)
        if not as_json:
            title = item.entry.title_of(result.step.name, result.step.target)
            click.echo(report.describe(result, title.of(lang) if title else "", lang))
    if as_json:
        order = list(outline.steps)
        results.sort(key=lambda result: order.index(result.step.name))
        data = [report.as_json(result) for result in results]
        click.echo(printable_json(data))
    statuses = {result.verdict.status for result in results}
    if "failed" in statuses:
        return FAILED
    return DONE if "passed" in statuses else NOTHING_RAN


def choose(outline: Outline, names: Sequence[str], on: str | None) -> list[Step]:
    """Pick steps by name and device, and the controls without which they show nothing.

    Raises:
        BookError: A name is not a step of the recipe.
    """
    unknown = [name for name in names if name not in outline.steps]
    if unknown:
        what = _("has no step {name!r}").format(name=unknown[0])
        mend = _("its steps are: {names}").format(names=", ".join(outline.steps))
        raise BookError([Problem(str(outline.path), what, mend)])
    chosen = dict.fromkeys(names or outline.steps)
    controls = (outline.steps[name].control for name in chosen)
    chosen |= dict.fromkeys(name for name in controls if name in outline.steps)
    steps = [outline.steps[name] for name in chosen]
    return [step for step in steps if on is None or step.needs.on.startswith(on)]


def _with_versions(step: Step, versions: str | None) -> Step:
    if not versions:
        return step
    asked = {text.partition("==")[0].strip(): text.strip() for text in versions.split(",")}
    wrong = [text for text in asked.values() if not all(text.partition("=="))]
    if wrong:
        said = _("{text!r} is not of the form NAME==VERSION").format(text=wrong[0])
        raise click.BadParameter(said, param_hint="--versions")
    kept = {text.partition("==")[0]: text for text in step.needs.versions}
    merged = tuple((kept | asked).values())
    return dataclasses.replace(step, needs=dataclasses.replace(step.needs, versions=merged))
