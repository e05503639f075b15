"""How the pages of the book read: open words, sentences, marks, notes in words, code first.

Usage: python -m bench.pages SITE [--each]

SITE is a built site (site/). Printed are the figures of the whole book, and with --each those of
every entry.
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.book import MARK, load_book
from fixbook.gates.marks import bare_phrases
from fixbook.gates.texts import texts_of
from fixbook.text import LANGS
from generator.text.page_text import length, open_text
from generator.text.plainness import average_sentence

if TYPE_CHECKING:
    from fixbook.book import Entry
    from fixbook.text import Lang


@dataclass(frozen=True, slots=True)
class Page:
    """The figures of an article in one language.

    Attributes:
        words: Of its open text; in Chinese Han characters and other words.
        sentence: Words of an open sentence, on average.
        marks: Marks in all its texts.
        bare: Notes in words on what was not run, in all its texts.
    """

    words: int
    sentence: float
    marks: int
    bare: int


def page_of(entry: Entry, html: str, lang: Lang) -> Page:
    """Measure an article.

    Args:
        entry: The entry.
        html: Its built page.
        lang: The language of the page.
    """
    texts = [text.of(lang) for _key, text in texts_of(entry)]
    return Page(
        length(open_text(html), lang),
        average_sentence(entry, lang),
        sum(len(MARK.findall(text)) for text in texts),
        sum(len(bare_phrases(text, lang)) for text in texts),
    )


def summed(pages: list[Page]) -> str:
    """Return the figures of all pages of a language in a line."""
    words = [page.words for page in pages]
    parts = [
        f"open words {statistics.mean(words):.0f} on average and at most {max(words)}",
        f"a sentence {statistics.mean(page.sentence for page in pages):.1f}",
        f"marks {sum(page.marks for page in pages)}",
        f"notes in words {sum(page.bare for page in pages)}",
    ]
    return ", ".join(parts)


def opens_with_code(entry: Entry) -> bool:
    """Tell whether the first fix begins with code or a changed configuration."""
    first = entry.fixes[0]
    return bool(first.snippet or first.config)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path)
    parser.add_argument("--each", action="store_true", help="every entry")
    options = parser.parse_args()
    book = load_book()
    for lang in LANGS:
        pages = {
            slug: page_of(item.entry, built.read_text("utf-8"), lang)
            for slug, item in book.entries.items()
            if (built := options.site / lang / slug / "index.html").is_file()
        }
        for slug, page in pages.items() if options.each else ():
            print(
                f"{lang} {slug:45} {page.words:5} {page.sentence:5.1f} {page.marks:3} {page.bare:3}"
            )
        print(f"{lang}: {len(pages)} pages, {summed(list(pages.values()))}")
    first = sum(opens_with_code(item.entry) for item in book.entries.values())
    print(f"first fix opens with code: {first} of {len(book.entries)}")


if __name__ == "__main__":
    main()
