"""Answer a text as the command and the page do: by signature, and by words where it is words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from fixbook.log.diagnose import diagnose
from fixbook.log.question import is_question
from fixbook.log.signatures import index_from

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.log.diagnosis import Diagnosis
    from fixbook.log.search import SearchIndex
    from fixbook.log.unanswered import Unanswered

How = Literal["specific", "message", "possible", "near"]
MOST_FOUND = 10
MOST_NEAREST = 3


@dataclass(frozen=True, slots=True)
class Found:
    """An entry or a message that answers a text.

    Attributes:
        name: Its slug or id.
        how: By a ``specific`` signature, as a shared ``message``, as a ``possible`` cause of
            one, or ``near`` by words.
    """

    name: str
    how: How


class Finder:
    """A book made ready to be asked many times."""

    def __init__(self, rows: dict[str, Any]) -> None:
        """Compile the index of a book.

        Args:
            rows: The index, as `fixbook.index.build.rows_from` builds it.
        """
        self.index = index_from(rows)
        self._rows = rows

    @cached_property
    def _search(self) -> SearchIndex:
        # Of logs nothing is found by words.
        from fixbook.log.search import SearchIndex, documents_from  # noqa: PLC0415

        return SearchIndex(documents_from(self._rows["search"]), self._rows["elsewhere"])

    def diagnosis(self, text: str) -> Diagnosis:
        """Recognise a text; causes of a message are ranked by the words beside it."""
        return self.by_words(diagnose(text, self.index), text)

    def by_words(self, diagnosis: Diagnosis, text: str) -> Diagnosis:
        """Rank the causes of messages by the words of a question; of a log they stay as they are.

        Args:
            diagnosis: What was recognised in the text.
            text: The text.
        """
        if not is_question(text):
            return diagnosis
        matches = tuple(
            replace(match, causes=tuple(self._search.ordered(match.causes, text)))
            for match in diagnosis.matches
        )
        return replace(diagnosis, matches=matches)

    def guesses(self, text: str, top: int = MOST_FOUND) -> list[tuple[str, float]]:
        """Return what is near by words alone, with scores; for a log nothing is.

        Args:
            text: What was typed or pasted.
            top: How many to return at most.
        """
        return self._search.search(text, top) if is_question(text) else []

    def unanswered(self, text: str) -> Unanswered | None:
        """Return what to say where `find` returns nothing; None for a log.

        Args:
            text: What was typed.
        """
        if not is_question(text):
            return None
        from fixbook.log.unanswered import Unanswered, search_of  # noqa: PLC0415  (as above)

        search = self._search
        nearest = tuple(search.nearest(text, MOST_NEAREST))
        return Unanswered(tuple(search.lacking(text)), nearest, search_of(text))

    def find(self, text: str, top: int = MOST_FOUND) -> list[Found]:
        """Return entries and messages for a text, best first.

        Args:
            text: What was typed or pasted.
            top: How many to return at most.
        """
        found: dict[str, Found] = {}
        for one in (*self._recognised(text), *self._near(text, top)):
            found.setdefault(one.name, one)
        return [*found.values()][:top]

    def ranked(self, text: str) -> list[str]:
        """Return names of entries and messages for a text, best first."""
        return [one.name for one in self.find(text)]

    def _recognised(self, text: str) -> Iterator[Found]:
        matches = self.diagnosis(text).matches
        specific = [match for match in matches if match.specific]
        for match in specific or matches:
            yield Found(match.owner, "specific" if match.specific else "message")
            yield from (Found(slug, "possible") for slug in match.causes)

    def _near(self, text: str, top: int) -> Iterator[Found]:
        yield from (Found(name, "near") for name, _ in self.guesses(text, top))
