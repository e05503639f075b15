"""Build the site: both languages as siblings, the root page that chooses, and the exports."""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fixbook.site_address import LOCAL_SITE
from fixbook.text import LANGS
from generator.browser_python import PythonError, write_python
from generator.edition import Edition
from generator.exports import exports
from generator.page_text import PageError, check_pages
from generator.policy import with_policy
from generator.search_index import SearchIndexError, write_search
from generator.search_worker import WorkerError, check_worker
from generator.takeaway import TakeawayError, write_takeaway
from generator.templating import render

if TYPE_CHECKING:
    from generator.library import Library

PROJECT = Path(__file__).resolve().parent.parent


class SiteError(Exception):
    """The site could not be built; the message says why."""


def build_site(library: Library, out: Path, url: str = LOCAL_SITE) -> None:
    """Build the whole site.

    Args:
        library: The book.
        out: Folder to build into; ``zh/`` and ``en/`` in it are replaced.
        url: Address the site will have, for canonical links and the site map.

    Raises:
        SiteError: A part could not be made, or MkDocs warned of something; the message says what.
    """
    os.environ["NO_MKDOCS_2_WARNING"] = "1"  # a banner about MkDocs' own future, not about the book
    out.mkdir(parents=True, exist_ok=True)
    base = url.rstrip("/")
    editions = [Edition(library, lang, base) for lang in LANGS]
    try:
        write_python(library.book, out)  # first: what is not installed is said before the long part
    except PythonError as error:
        raise SiteError(str(error)) from None
    for edition in editions:
        lang = edition.lang
        build_language(edition, out, base)
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


def build_language(edition: Edition, out: Path, base: str) -> None:
    """Build the pages of one language into a folder of its name.

    Args:
        edition: The book in that language.
        out: Where the folder belongs.
        base: Address the site will have.

    Raises:
        SiteError: MkDocs reported a warning or an error.
    """
    # MkDocs takes a quarter of a second to import; `render` and the tests of it do without.
    from mkdocs.commands.build import build  # noqa: PLC0415
    from mkdocs.config import load_config  # noqa: PLC0415
    from mkdocs.exceptions import MkDocsException  # noqa: PLC0415

    from generator.plugin import Pages  # noqa: PLC0415

    lang = edition.lang
    said = _Said()
    logger = logging.getLogger("mkdocs")
    logger.setLevel(logging.WARNING)
    logger.addHandler(said)
    try:
        config = load_config(
            str(PROJECT / f"mkdocs.{lang}.yml"),
            strict=True,
            site_dir=str((out / lang).resolve()),
            site_url=f"{base}/{lang}/",
        )
        config.plugins["pages"] = Pages(edition)
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
        config.plugins.on_shutdown()
    except (MkDocsException, SystemExit) as error:
        raise SiteError("\n".join([*said.lines, f"{lang}: {error}"])) from None
    finally:
        logger.removeHandler(said)


class _Said(logging.Handler):
    """Keeps what MkDocs warns of: under --strict these lines are the reason it stops."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname.lower()}: {record.getMessage()}")


def _robots(base: str) -> str:
    maps = "".join(f"Sitemap: {base}/{lang}/sitemap.xml\n" for lang in LANGS)
    return f"User-agent: *\nAllow: /\n{maps}"
