"""Answer a text as the command and the page do: by signature, else by words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.index.build import rows_from
from fixbook.log.diagnose import diagnose
from fixbook.log.search import SearchIndex, documents_from
from fixbook.log.signatures import index_from

if TYPE_CHECKING:
    from fixbook.book import Book
    from fixbook.log.diagnosis import Diagnosis


class Finder:
    """A book made ready to be asked many times."""

    def __init__(self, book: Book) -> None:
        """Compile the index of a book."""
        rows = rows_from(book)
        self.index = index_from(rows)
        self._search = SearchIndex(documents_from(rows["search"]))

    def diagnosis(self, text: str) -> Diagnosis:
        """Recognise a text by signatures alone."""
        return diagnose(text, self.index)

    def ranked(self, text: str) -> list[str]:
        """Return names of entries and symptoms for a text, best first."""
        matches = self.diagnosis(text).matches
        return [one.owner for one in matches] or [name for name, _ in self._search.search(text)]
