"""``fixbook new SLUG``: a scaffold that the gates accept once it is filled in."""

from __future__ import annotations

import datetime as dt
from importlib.resources import files

import click

from fixbook.book_root import checkout
from fixbook.cli.exits import DONE
from fixbook.entry import SLUG
from fixbook.files import write_atomically
from fixbook.gates.proof import read_list
from fixbook.gates.slugs import SLUGS
from fixbook.i18n import _

_FILES = ("entry.yaml", "failure.py", "recipe.py", "queries.yaml", "words.yaml")


@click.command("new")
@click.argument("slug")
def command(slug: str) -> int:
    """Scaffold the entry SLUG under recipes/, complete but for its contents."""
    root = checkout()
    folder = root / "recipes" / slug
    if not SLUG.fullmatch(slug):
        message = _(
            "{slug!r} is not a slug: lower-case words joined by dashes, such as 'bad-offsets'"
        )
        raise click.BadParameter(message.format(slug=slug), param_hint="SLUG")
    if folder.exists():
        raise click.ClickException(
            _("{folder} exists already; nothing was written").format(folder=folder)
        )
    slugs = read_list(root / SLUGS)
    if slug in slugs:
        raise click.ClickException(
            _("{slug!r} was used before; addresses are never reused").format(slug=slug)
        )
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
    written = ", ".join(f"recipes/{slug}/{name}" for name in _FILES)
    click.echo(_("wrote {files}").format(files=written))
    click.echo(_("next: fill them in, then"))
    click.echo(f"    fixbook verify {slug}   " + _("until every step shows what you claim"))
    click.echo(f"    fixbook prove {slug}    " + _("everything that must hold, and its evidence"))
    return DONE
