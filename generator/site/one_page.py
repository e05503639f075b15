"""Build the pages of one entry without the rest of the book: what an author wants to see soon."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.site_address import LOCAL_SITE
from fixbook.text import LANGS
from generator.site.build import build_language
from generator.text.page_text import MOST, check_pages, length, open_text, too_long
from generator.view.edition import Edition
from generator.view.library import Library, dossier_of

if TYPE_CHECKING:
    from fixbook.book import Book
    from fixbook.text import Lang


@dataclasses.dataclass(frozen=True, slots=True)
class Seen:
    """What a reader meets on the page of an entry.

    Attributes:
        length: Words of its open text; Han characters and other words in Chinese.
        most: How many are allowed.
        objection: What is wrong with the page; empty if nothing is.
    """

    length: int
    most: int
    objection: str


def built_alone(book: Book, slug: str) -> dict[Lang, Seen]:
    """Build the pages of one entry in both languages, into a folder that is removed again.

    Args:
        book: The book; its other entries may be broken.
        slug: The entry.

    Raises:
        BookError: There is no such entry, or it cannot be rendered.
        SiteError: MkDocs reported a warning or an error.
        PageError: A page shows raw attribute lists or placeholders.
    """
    item = book.get(slug)
    alone = dataclasses.replace(book, entries={slug: item}, rules={})
    library = Library(alone, {slug: dossier_of(item, book)})
    with tempfile.TemporaryDirectory() as folder:
        return {lang: _built(library, slug, lang, Path(folder)) for lang in LANGS}


def _built(library: Library, slug: str, lang: Lang, out: Path) -> Seen:
    build_language(Edition(library, lang), out, LOCAL_SITE)
    check_pages(out / lang)
    page = (out / lang / slug / "index.html").read_text("utf-8")
    return Seen(length(open_text(page), lang), MOST[lang], too_long(page, lang))
