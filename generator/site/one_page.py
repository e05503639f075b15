"""Build the pages of one entry without the rest of the book: what an author wants to see soon."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from fixbook.text import LANGS
from generator.pages.article import article, evidence_of_entry
from generator.site.live_markup import check_markup
from generator.site.plain_pages import plain_page
from generator.text.guard import as_html
from generator.text.links import placed
from generator.text.page_text import MOST, check_page, length, open_text, too_long
from generator.text.plainness import average_sentence, too_winding
from generator.view.edition import Edition
from generator.view.library import Library, dossier_of

if TYPE_CHECKING:
    from fixbook.book import Book
    from fixbook.text import Lang
    from generator.pages.page import Page


@dataclasses.dataclass(frozen=True, slots=True)
class Seen:
    """What a reader meets on the page of an entry.

    Attributes:
        length: Words of its open text; Han characters and other words in Chinese.
        most: How many are allowed.
        sentence: Words of its open sentences on average.
        objection: What is wrong with the page; empty if nothing is.
    """

    length: int
    most: int
    sentence: float
    objection: str


def alone(book: Book, slug: str, *, draft: bool = False) -> Library:
    """Return a library of one entry, whose texts may name the pages of the others.

    Args:
        book: The book.
        slug: The entry.
        draft: Tolerate measures that are not recorded yet.

    Raises:
        BookError: There is no such entry, or it cannot be rendered.
    """
    item = book.get(slug)
    part = dataclasses.replace(book, entries={slug: item}, rules={})
    return Library(part, {slug: dossier_of(item, book, draft=draft)})


def built_alone(book: Book, slug: str) -> dict[Lang, Seen]:
    """Build the pages of one entry in both languages, without the theme.

    Args:
        book: The book; its other entries may be broken.
        slug: The entry.

    Raises:
        BookError: There is no such entry, or it cannot be rendered.
        MarkupError: A page holds an element, an attribute or an address that no page has.
        PageError: A page shows raw attribute lists or placeholders.
    """
    library = alone(book, slug)
    return {lang: _built(library, slug, lang) for lang in LANGS}


def _built(library: Library, slug: str, lang: Lang) -> Seen:
    view = Edition(library, lang).views[slug]
    page, beside = (
        _html(one, lang) for one in (article(view, library), evidence_of_entry(view, library))
    )
    for one in (page, beside):
        check_page(one, f"{lang}/{slug}/")
    entry = library.book.get(slug).entry
    objections = [too_long(page, lang), too_winding(entry, lang)]
    return Seen(
        length(open_text(page), lang),
        MOST[lang],
        round(average_sentence(entry, lang), 1),
        "; ".join(filter(None, objections)),
    )


def _html(page: Page, lang: Lang) -> str:
    made = as_html(plain_page(placed(page.text, page.path, ())))
    content = made.partition("<article>")[2].rpartition("</article>")[0]
    check_markup(content, f"{lang}/{page.path}")
    return made
