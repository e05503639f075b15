"""``fixbook new SLUG``: a scaffold that the gates accept once it is filled in."""

from __future__ import annotations

import datetime as dt
from importlib.resources import files

import click

from fixbook.book_root import book_root
from fixbook.cli.exits import DONE
from fixbook.entry import SLUG
from fixbook.files import write_atomically
from fixbook.gates.proof import read_list
from fixbook.gates.slugs import SLUGS

_FILES = ("entry.yaml", "failure.py", "recipe.py", "queries.yaml")


@click.command("new")
@click.argument("slug")
def command(slug: str) -> int:
    """Scaffold the entry SLUG under recipes/, complete but for its contents."""
    root = book_root()
    folder = root / "recipes" / slug
    if not SLUG.fullmatch(slug):
        message = (
            f"{slug!r} is not a slug: lower-case words joined by dashes, such as 'bad-offsets'"
        )
        raise click.BadParameter(message, param_hint="SLUG")
    if folder.exists():
        raise click.ClickException(f"{folder} exists already; nothing was written")
    slugs = read_list(root / SLUGS)
    if slug in slugs:
        raise click.ClickException(f"{slug!r} was used before; addresses are never reused")
    template = files("fixbook.cli") / "scaffold"
    today = dt.datetime.now(dt.UTC).date().isoformat()
    for name in _FILES:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = template.joinpath(name).read_text("utf-8")
        path.write_text(text.replace("@SLUG@", slug).replace("@TODAY@", today), "utf-8")
    comment = "# Every slug ever published, sorted; an address is never reused.\n"
    write_atomically(
        root / SLUGS, comment + "".join(f"{name}\n" for name in sorted([*slugs, slug]))
    )
    click.echo(f"wrote {', '.join(f'recipes/{slug}/{name}' for name in _FILES)}")
    click.echo("next: fill in failure.py, recipe.py, entry.yaml and queries.yaml, then")
    click.echo(f"    fixbook run {slug}      until every step shows what you claim")
    click.echo(f"    fixbook prove {slug}    everything that must hold, and its evidence")
    return DONE
