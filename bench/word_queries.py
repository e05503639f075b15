"""How well words that people type find a page, and how seldom they find one that does not fit.

    python -m bench.word_queries [--corpus ROWS.jsonl]

Those for an entry stand in ``words.yaml`` beside it, those for a message in ``word_queries.yaml``.
They were written before the aliases; every second one is held out.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from bench.finding import ROOT, Ask, Diagnoser, accuracy, corpus
from fixbook.book import load_book, load_words
from fixbook.index.build import rows_from
from fixbook.index.documents import row_of, weights_of
from fixbook.log.finder import Finder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book

FILE = Path(__file__).with_suffix(".yaml")
GROUPS = {
    "entries": {"zh": "words zh: entry", "en": "words en: entry"},
    "symptoms": {"zh": "words zh: message", "en": "words en: message"},
}
TUNED, HELD_OUT = "tuned on", "held out"


def word_queries(book: Book) -> Iterator[Ask]:
    """Yield every query of a page that the book has; only that page is right."""
    everything = frozenset(book.entries)
    for kind, pages in (("entries", _of_entries(book)), ("symptoms", _read()["symptoms"])):
        for name, texts in pages.items():
            for lang, group in GROUPS[kind].items():
                for number, text in enumerate(texts[lang]):
                    half = HELD_OUT if number % 2 else TUNED
                    page = frozenset({name})
                    yield Ask(f"{name}/{half}/{text}", group, text, page, everything)


def _of_entries(book: Book) -> dict[str, dict[str, list[str]]]:
    found = {slug: load_words(item) for slug, item in book.entries.items()}
    return {slug: words.model_dump() for slug, words in found.items() if words}


def _read() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(FILE.read_text("utf-8"))
    return found


def measure_words(book: Book, finder: Finder, rows: Path | None) -> dict[str, Any]:
    """Ask all of it.

    Args:
        book: The book.
        finder: It, made ready.
        rows: A corpus of other people's logs, or None.
    """
    halves: dict[tuple[str, str], list[Ask]] = defaultdict(list)
    for ask in word_queries(book):
        halves[ask.group, ask.name.split("/")[1]].append(ask)
    found: dict[str, Any] = {
        "table": [
            {"group": group, "half": half, "asked": len(asks)} | _scores(asks, finder)
            for (group, half), asks in sorted(halves.items())
        ],
        "nothing": _nothing(finder),
        "categories": _categories(book, finder),
    }
    if rows:
        uncovered = [ask.text for ask in corpus(book, rows) if ask.group == "corpus: neither"]
        pasted = [*uncovered, *(" ".join(text.splitlines()) for text in uncovered)]
        found["uncovered"] = len(pasted)
        found["guesses"] = [text[:80] for text in pasted if finder.guesses(text)]
        asks = [ask for both in halves.values() for ask in both]
        more, pages = _with_uncovered(book, rows)
        found["among"] = {"pages": pages} | _scores(asks, more)
    return found


def _scores(asks: list[Ask], finder: Finder) -> dict[str, float]:
    answers = [finder.ranked(ask.text) for ask in asks]
    return {"at_1": accuracy(asks, answers, 1), "at_3": accuracy(asks, answers, 3)}


def _nothing(finder: Finder) -> dict[str, Any]:
    """What words find that no page is about."""
    texts = [text for texts in _read()["nothing"].values() for text in texts]
    wrong = {text: finder.ranked(text)[0] for text in texts if finder.ranked(text)}
    return {"asked": len(texts), "found": wrong}


def _categories(book: Book, finder: Finder) -> list[str]:
    """Entries that a word for their category does not list."""
    missed = []
    for category, texts in _read()["categories"].items():
        members = {s for s, item in book.entries.items() if category in item.entry.categories}
        for text in (*texts["zh"], *texts["en"]):
            found = finder.find(text, len(book.entries) + len(book.symptoms))
            missed += [f"{text}: {slug}" for slug in members.difference(one.name for one in found)]
    return missed


def _with_uncovered(book: Book, path: Path) -> tuple[Finder, int]:
    """The book with a page for each failure of the corpus that it lacks: does ranking drown?"""
    lacking = {ask.name for ask in corpus(book, path) if ask.group == "corpus: neither"}
    families: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["id"] in lacking:
            families[row["family"]].append(row)
    rows = rows_from(book)
    for name, members in families.items():
        titles = " ".join(row["title"] for row in members[:2])
        texts = " ".join(row["text"] for row in members)[:4000]
        weights = weights_of([(4.0, f"{name.replace('-', ' ')} {titles}"), (2.0, texts)])
        rows["search"].append(row_of(name, weights))
    return Finder(rows), len(book.entries) + len(book.symptoms) + len(families)


def print_words(found: dict[str, Any]) -> None:
    """Print what was measured."""
    for row in found["table"]:
        print(f"{row['group']:18} {row['half']:9} {row['asked']:4}  ", end="")
        print(f"{row['at_1']:.3f}/{row['at_3']:.3f}")
    nothing = found["nothing"]
    print(f"words without a page: {nothing['asked']}, found all the same: {nothing['found']}")
    print(f"entries that a word for their category does not list: {found['categories']}")
    if "uncovered" in found:
        print(f"pastes without a page: {found['uncovered']}, guesses: {found['guesses']}")
        among = found["among"]
        print(f"among {among['pages']} pages: {among['at_1']:.3f}/{among['at_3']:.3f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    given = os.environ.get("FIXBOOK_CORPUS")
    parser.add_argument("--corpus", type=Path, default=Path(given) if given else None)
    book = load_book(ROOT, strict=False)
    print_words(measure_words(book, Diagnoser(book), parser.parse_args().corpus))


if __name__ == "__main__":
    main()
