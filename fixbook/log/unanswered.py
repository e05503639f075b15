"""What is said of words that nothing in the book answers: its gaps, the nearest, a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fixbook.log.libraries import libraries
from fixbook.log.next_steps import SEARCH
from fixbook.log.redact import redact
from fixbook.log.tokens import HAN, HAN_STOP, STOP, WORD, telling
from fixbook.log.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.text import Lang

# GitHub looks for issues that hold every word: of a whole sentence there are none.
MOST_SEARCHED = 5
LEAST_HAN = 2  # characters; a single one says nothing


@dataclass(frozen=True, slots=True)
class Unanswered:
    """What is said of words that nothing in the book answers.

    Attributes:
        elsewhere: Names in them of what the book has nothing on, as they were typed.
        nearest: Entries and messages that are nearest to them, and no answer.
        search: Address of a search elsewhere; following it sends their telling words.
    """

    elsewhere: tuple[str, ...]
    nearest: tuple[str, ...]
    search: str


def search_of(asked: str) -> str:
    """Return the address of a search for the telling words of a question; following it sends them.

    Args:
        asked: The question. What it says of who asks is taken out.
    """
    words = list(dict.fromkeys(_words(redact(asked))))
    named = next((word.lower() for word in words if word.lower() in libraries()), "")
    repo = libraries()[named].repo if named else ""
    terms = [f"repo:{repo}"] if repo else []
    terms += [word for word in words if not repo or word.lower() != named][:MOST_SEARCHED]
    return SEARCH + quote(" ".join(terms), safe="!'()*")


def _words(text: str) -> list[str]:
    """Words of a text that are no chatter, in the order in which they stand."""
    found: list[str] = []
    for word in WORD.findall(telling(text)):
        if HAN.match(word):
            found += [run for run in HAN_STOP.split(word) if len(run) >= LEAST_HAN]
        elif word.lower() not in STOP and (len(word) > 1 or word.isdigit()):
            found.append(word)
    return found


def unanswered_row(said: Unanswered | None, rows: dict[str, Any], lang: Lang) -> dict[str, Any]:
    """Return it as the JSON of an answer holds it; nothing where words were answered.

    Args:
        said: It, or None.
        rows: The index.
        lang: Language of the titles.
    """
    if said is None:
        return {}
    nearest = [
        {"symptom" if name in rows["causes"] else "slug": name, "title": _title(name, rows, lang)}
        for name in said.nearest
    ]
    return {"elsewhere": list(said.elsewhere), "nearest": nearest, "search": said.search}


def unanswered_lines(said: Unanswered, rows: dict[str, Any], lang: Lang) -> Iterator[str]:
    """Yield it line by line, for a terminal.

    Args:
        said: It.
        rows: The index.
        lang: The language.
    """
    words = words_of(lang)
    if said.elsewhere:
        names = words["comma"].join(words["quoted"].format(name=one) for one in said.elsewhere)
        yield words["lacking"].format(names=names)
    if said.nearest:
        yield words["nearest_are"] + words["colon"].rstrip()
        yield from (f"  {_title(name, rows, lang)}  [{name}]" for name in said.nearest)
    yield words["search_words"] + words["colon"].rstrip()
    yield f"  {said.search}"


def _title(name: str, rows: dict[str, Any], lang: Lang) -> str:
    title: str = rows["titles"][name]["title"][lang]
    return title
