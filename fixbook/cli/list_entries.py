"""``fixbook list``: all entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fixbook.api.book import Book
from fixbook.cli.options import SCHEMA_VERSION, json_option, lang_option
from fixbook.text import printable_json

if TYPE_CHECKING:
    from fixbook.book import BookEntry
    from fixbook.text import Lang


@click.command("list")
@lang_option
@json_option
def command(lang: Lang, as_json: bool) -> None:
    """List all entries: slug, projects, title."""
    if as_json:
        from fixbook.book import load_book  # reads every entry, with its evidence

        rows = [
            {
                "slug": slug,
                "title": item.entry.title.model_dump(),
                "summary": item.entry.summary.model_dump(),
                "categories": item.entry.categories,
                "projects": item.entry.projects,
                "status": item.entry.status,
                **_proven(item),
            }
            for slug, item in load_book(strict=False).entries.items()
        ]
        click.echo(printable_json({"schema_version": SCHEMA_VERSION, "entries": rows}))
        return
    entries = Book().entries(lang)
    width = max((len(one["slug"]) for one in entries), default=0)
    for one in entries:
        click.echo(f"{click.style(one['slug'].ljust(width), bold=True)}  {one['title']}")
        click.echo(f"{' ' * width}  {click.style(', '.join(one['projects']), dim=True)}")


def _proven(item: BookEntry) -> dict[str, Any]:
    """Say what was shown of an entry, and which releases its steps ran on."""
    from fixbook.recipe.reading import read_outline
    from fixbook.recipe.record import load_evidence, ran_on, stale_steps, standing

    outline, evidence = read_outline(item.recipe), load_evidence(item)
    stale = {name: stale_steps(item, outline, one) for name, one in evidence.items()}
    return {
        "shown": standing(item.entry, outline, evidence, stale),
        "ran_on": ran_on(outline, evidence),
    }
