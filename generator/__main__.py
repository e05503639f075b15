"""Build, serve and print pages: ``python -m generator --help``."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import NoReturn

import click

from fixbook.book import load_book
from fixbook.problem import BookError
from fixbook.site_address import LOCAL_SITE, SITE_VARIABLE, is_address
from fixbook.text import LANGS, N_, Lang, _, choose, terminal_language
from generator.browser.python import PythonError, require_runtime
from generator.exports.archive import pack_archive
from generator.exports.takeaway import TakeawayError
from generator.pages.article import article, exported
from generator.site.build import SiteError, build_site
from generator.site.live_markup import MarkupError
from generator.site.one_page import alone, built_alone
from generator.site.preview import Preview
from generator.site.server import server
from generator.site.watch import Changes, watch
from generator.text.guard import as_text
from generator.text.links import absolute
from generator.text.page_text import PageError
from generator.view.edition import Edition
from generator.view.library import Library, load_library

_out = click.option(
    "--out",
    default="site",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Folder to build into.",
)
_draft = click.option("--draft", is_flag=True, help="Show the names of measures not recorded yet.")
_trees = click.option(
    "--tree",
    "trees",
    default="build",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Folder of the Markdown that the pages are rendered from.",
)
_HOW = N_(
    "unfinished entries can be seen all the same: python -m generator serve, or build --draft"
)


def _address(_: click.Context, __: click.Parameter, url: str | None) -> str | None:
    if url and not is_address(url):
        raise click.BadParameter(f"{url!r} is no address; write it as https://example.org/fixbook")
    return url.rstrip("/") if url else None


@click.group()
@click.option(
    "--lang",
    type=click.Choice(LANGS),
    help="Language of messages; by default that of the terminal.",
)
def main(lang: Lang | None) -> None:
    """Render the book as a bilingual site."""
    choose(lang or terminal_language())


@main.command()
@_out
@_trees
@click.option(
    "--url",
    envvar=SITE_VARIABLE,
    show_envvar=True,
    callback=_address,
    help=f"Address that readers will use, for canonical links.  [default: {LOCAL_SITE}]",
)
@_draft
def build(out: Path, trees: Path, url: str | None, draft: bool) -> None:  # noqa: FBT001
    """Build both languages, the root page and the exports."""
    _check_runtime()
    _build(_load(draft=draft), out, url or LOCAL_SITE, trees)
    if url is None:
        click.echo(
            f"Its pages give {LOCAL_SITE} as their address. Before you publish them, set "
            f"{SITE_VARIABLE} or --url to the address that readers will use.",
            err=True,
        )


@main.command()
@_out
@_trees
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
def serve(out: Path, trees: Path, port: int) -> None:
    """Build the site, serve it on this machine, and build again what changes.

    Of a change in one entry only the pages of that entry are built, within a second.
    Measures that are not recorded yet are shown by their names, so that an entry can be looked at
    while it is written. Pages that are open in a browser reload by themselves. Ctrl-C ends it.
    """
    _check_runtime()
    out.mkdir(parents=True, exist_ok=True)
    changes = Changes()
    try:
        # Before the build: a busy port should not cost seconds.
        listening = server(out, port, changes)
    except SiteError as error:
        _fail(str(error))
    url = f"http://127.0.0.1:{listening.server_address[1]}"

    with listening:
        library = _load(draft=True)
        _build(library, out, url, trees)
        preview = Preview(library, out, url, trees)

        def rebuild(changed: set[Path]) -> None:
            start = time.perf_counter()
            try:
                slugs = preview.rebuild(changed)
                click.echo(_rebuilt(slugs, time.perf_counter() - start))
                changes.tell()
            except (SiteError, BookError) as error:
                changes.tell(str(error))
            for what in dict.fromkeys(preview.errors.values()):  # earlier ones, too, until mended
                click.echo(_("error: {what}").format(what=what), err=True)

        click.echo(_("Serving {url}   (rebuilt on every change; Ctrl-C ends it)").format(url=url))
        end = watch(library.book.root, rebuild)
        try:
            listening.serve_forever()
        except KeyboardInterrupt:
            click.echo()
        finally:
            end()


@main.command()
@click.argument("slug")
@click.option("--lang", default="en", show_default=True, type=click.Choice(LANGS))
@click.option("--plain", is_flag=True, help="Portable Markdown, without what the layout needs.")
@_draft
def render(slug: str, lang: str, plain: bool, draft: bool) -> None:  # noqa: FBT001
    """Print one article as Markdown."""
    try:
        library = alone(load_book(strict=False), slug, draft=draft)
    except BookError as error:
        _fail(str(error))
    view = Edition(library, "zh" if lang == "zh" else "en").views[slug]
    text = exported(view) if plain else article(view, library).text
    click.echo(as_text(absolute(text, view.lang, LOCAL_SITE)), nl=False)


@main.command()
@click.argument("slug")
def page(slug: str) -> None:
    """Build the pages of one entry alone and print, as JSON, what is to be said of them."""
    try:
        found = built_alone(load_book(strict=False), slug)
    except (MarkupError, BookError, PageError) as error:
        _fail(str(error))
    click.echo(json.dumps({lang: asdict(seen) for lang, seen in found.items()}))


@main.command()
@_out
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path))
def archive(out: Path, target: Path) -> None:
    """Pack the built site and the wheels of the command into the file TARGET, for 'fixbook serve'.

    'python TARGET' shows it where fixbook is not installed.
    """
    try:
        size = pack_archive(out, target)
    except TakeawayError as error:
        _fail(str(error))
    click.echo(f"{target}: {size / 1024**2:.0f} MiB")


def _check_runtime() -> None:
    """End where Python for the browser is missing, before the book is read, which takes long."""
    try:
        require_runtime()
    except PythonError as error:
        _fail(str(error))


def _load(*, draft: bool) -> Library:
    try:
        return load_library(draft=draft)
    except BookError as error:
        said = _("the book cannot be rendered:\n{what}").format(what=error)
        _fail(said if draft else f"{said}\n{_(_HOW)}")


def _build(library: Library, out: Path, url: str, trees: Path) -> None:
    try:
        click.echo(_built(library, out, url, trees))
    except (SiteError, BookError) as error:
        _fail(str(error))


def _built(library: Library, out: Path, url: str, trees: Path) -> str:
    """Build the site and say how long it took."""
    start = time.perf_counter()
    build_site(library, out, url, trees)
    seconds = time.perf_counter() - start
    said = _("Built {count} entries in both languages ({seconds:.1f} s)")
    return said.format(count=len(library.dossiers), seconds=seconds)


def _rebuilt(slugs: list[str], seconds: float) -> str:
    """What to say of a change that was built."""
    if not slugs:
        return _("Built everything ({seconds:.1f} s)").format(seconds=seconds)
    said = _("Built {names} ({seconds:.1f} s); lists and search follow with a change elsewhere")
    return said.format(names=", ".join(slugs), seconds=seconds)


def _fail(message: str) -> NoReturn:
    click.echo(_("error: {what}").format(what=message), err=True)
    sys.exit(1)


if __name__ == "__main__":
    main()
