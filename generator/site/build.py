"""Build the site: both languages as siblings, the root page that chooses, and the exports."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from filelock import FileLock

from fixbook.site_address import LOCAL_SITE
from fixbook.text import LANGS
from generator import PROJECT
from generator.browser.python import PythonError, write_python
from generator.browser.search_index import SearchIndexError, write_search
from generator.exports.files import exports
from generator.exports.takeaway import TakeawayError, write_takeaway
from generator.pages.tree import write_tree
from generator.site.finish import finish
from generator.site.live_markup import MarkupError
from generator.site.material import RenderError, render_material
from generator.site.policy import PolicyError, with_policy
from generator.site.search_worker import WorkerError, check_worker
from generator.text.page_text import PageError, check_pages
from generator.text.templating import render
from generator.view.edition import Edition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.view.library import Library


class SiteError(Exception):
    """The site could not be built; the message says why."""


def build_site(
    library: Library, out: Path, url: str = LOCAL_SITE, trees: Path | None = None
) -> None:
    """Build the whole site.

    Args:
        library: The book.
        out: Folder to build into; ``zh/`` and ``en/`` in it are replaced.
        url: Address the site will have, for canonical links and the site map.
        trees: Where the trees are kept that the pages are rendered from; by default nowhere.

    Raises:
        SiteError: A part could not be made, or MkDocs warned of something; the message says what.
    """
    out.mkdir(parents=True, exist_ok=True)
    base = url.rstrip("/")
    editions = [Edition(library, lang, base) for lang in LANGS]
    try:
        write_python(library.book, out)  # first: what is not installed is said before the long part
    except PythonError as error:
        raise SiteError(str(error)) from None
    for edition in editions:
        lang = edition.lang
        build_language(edition, out, base, trees)
        try:
            check_worker(out / lang)
            check_pages(out / lang)
            write_search(library.rows, lang, out / lang)
        except (WorkerError, PageError, SearchIndexError) as error:
            raise SiteError(f"{lang}: {error}") from None
    try:
        write_takeaway(library, out, base)
    except TakeawayError as error:
        raise SiteError(str(error)) from None
    for name, text in exports(editions, base).items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name in ("index.html", "404.html"):
        both = [edition.words for edition in editions]
        text = render(f"root-{name}.j2", base=base, path=urlsplit(base).path, both=both)
        (out / name).write_text(with_policy(text), encoding="utf-8")
    shutil.copyfile(PROJECT / "overrides/assets/favicon.svg", out / "favicon.svg")
    (out / "robots.txt").write_text(_robots(base), encoding="utf-8")


def build_language(edition: Edition, out: Path, base: str, trees: Path | None = None) -> None:
    """Build the pages of one language into a folder of its name: tree, renderer, last pass.

    Args:
        edition: The book in that language.
        out: Where the folder belongs.
        base: Address the site will have.
        trees: Where its tree is written, to a folder of the same name; by default one that is
            removed again.

    Raises:
        SiteError: MkDocs reported a warning or an error, or a page holds what no page may.
    """
    with _folder(trees) as folder:
        try:
            tree = write_tree(edition, folder / edition.lang)
            site = (out / edition.lang).resolve()
            rendered = render_material(tree, site, f"{base}/{edition.lang}/")
            finish(site, tree, edition, rendered)
        except (RenderError, MarkupError, PolicyError, WorkerError) as error:
            raise SiteError(f"{edition.lang}: {error}") from None


@contextlib.contextmanager
def _folder(trees: Path | None) -> Iterator[Path]:
    """A folder that nobody else writes trees into meanwhile."""
    if trees is None:
        with tempfile.TemporaryDirectory() as made:
            yield Path(made)
    else:
        trees.mkdir(parents=True, exist_ok=True)
        with FileLock(trees / ".lock"):
            yield trees


def _robots(base: str) -> str:
    maps = "".join(f"Sitemap: {base}/{lang}/sitemap.xml\n" for lang in LANGS)
    return f"User-agent: *\nAllow: /\n{maps}"
