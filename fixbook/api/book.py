"""The book as programs see it: its entries, and the page of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.article.shelf import read_page
from fixbook.book_root import book_root
from fixbook.index.cache import index_rows

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.article.data import Article, Message
    from fixbook.text import Lang


class Book:
    """The book, compiled.

    Attributes:
        root: Where it lies.
    """

    def __init__(self, root: Path | None = None) -> None:
        """Open the book.

        Args:
            root: Where it lies; by default this checkout, or what the package carries.
        """
        self.root = root or book_root()

    def entries(self, lang: Lang = "en") -> list[dict[str, Any]]:
        """Return the entries: ``slug``, ``title``, ``summary``, ``projects``, ``categories``.

        Args:
            lang: Language of the texts, ``en`` or ``zh``.
        """
        return self._heads(lang, messages=False)

    def messages(self, lang: Lang = "en") -> list[dict[str, Any]]:
        """Return the messages that several failures share: ``slug``, ``title``, ``summary``.

        Args:
            lang: Language of the texts, ``en`` or ``zh``.
        """
        return self._heads(lang, messages=True)

    def page(self, name: str, lang: Lang = "en") -> Article | Message:
        """Return the page of an entry or a message.

        Args:
            name: Its slug.
            lang: Language of the texts, ``en`` or ``zh``.

        Raises:
            BookError: There is none; the nearest names are given.
        """
        return read_page(self.root, name, lang)

    def _heads(self, lang: Lang, *, messages: bool) -> list[dict[str, Any]]:
        rows = index_rows(self.root)
        return [
            {"slug": name, "title": card["title"][lang], "summary": card["summary"][lang]}
            | {key: card[key] for key in ("projects", "categories") if key in card}
            for name, card in rows["titles"].items()
            if (name in rows["causes"]) is messages
        ]
