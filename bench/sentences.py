"""How well whole sentences are answered, and how seldom those that no page answers.

    python -m bench.sentences

They stand in ``sentences.yaml`` and were written before anybody looked at the answers; every second
one is held out. The later sets there, ``unseen`` and ``drawn``, are reported apart.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from bench.finding import ROOT, Ask, Diagnoser, accuracy
from bench.word_queries import HELD_OUT, TUNED
from fixbook.book import load_book

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fixbook.log.finder import Finder

FILE = Path(__file__).with_suffix(".yaml")
GROUPS = {"zh": "sentences zh", "en": "sentences en"}
LATER = ("unseen", "drawn", "forum", "lot", "fresh")


def sentences() -> Iterator[tuple[frozenset[str], str]]:
    """Yield every sentence with the pages that answer it, of which there may be none."""
    read = _read()
    for lang in GROUPS:
        yield from ((frozenset(one["right"]), one["ask"]) for one in read[lang])
    for texts in read["nothing"].values():
        yield from ((frozenset(), text) for text in texts)


def sentence_queries() -> Iterator[Ask]:
    """Yield every sentence that pages answer; any of them is right."""
    read = _read()
    for lang in GROUPS:
        for number, one in enumerate(read[lang]):
            yield _ask(one, HELD_OUT if number % 2 else TUNED, lang)


def measure_sentences(finder: Finder) -> dict[str, Any]:
    """Ask all of them.

    Args:
        finder: The book, made ready.

    Returns:
        A row of ``table`` for each language and half: how many were ``asked``, the share that is
        right at once (``at_1``) and among the first three (``at_3``), and whose first answer is
        ``wrong``; and of ``nothing`` how many were asked, and what was found by half.
    """
    halves: dict[tuple[str, str], list[Ask]] = defaultdict(list)
    for ask in sentence_queries():
        halves[ask.group, ask.name.split("/")[1]].append(ask)
    table = [
        {"group": group, "half": half, "asked": len(asks)} | _scores(asks, finder)
        for (group, half), asks in sorted(halves.items())
    ]
    return {"table": table, "nothing": _nothing(finder)}


def measure_later(finder: Finder, name: str) -> dict[str, Any]:
    """Ask one of the later sets.

    Args:
        finder: The book, made ready.
        name: The set's name.

    Returns:
        A row of ``table`` for each language, and of ``nothing`` what was found by language, else
        as of ``measure_sentences``.
    """
    read = _read()[name]
    table = []
    for lang, group in GROUPS.items():
        asks = [_ask(one, name, lang) for one in read[lang]]
        scores = _scores(asks, finder)
        table.append({"group": group, "half": name, "asked": len(asks)} | scores)
    found = {
        lang: {text: answer[0] for text in texts if (answer := finder.ranked(text))}
        for lang, texts in read["nothing"].items()
    }
    asked = sum(map(len, read["nothing"].values()))
    return {"table": table, "nothing": {"asked": asked, "found": found}}


def _ask(one: dict[str, Any], half: str, lang: str) -> Ask:
    right = frozenset(one["right"])
    return Ask(f"{lang}/{half}/{one['ask']}", GROUPS[lang], one["ask"], right, right)


def _scores(asks: Sequence[Ask], finder: Finder) -> dict[str, float]:
    answers = [finder.ranked(ask.text) for ask in asks]
    wrong = sum(
        bool(answer) and answer[0] not in ask.right
        for ask, answer in zip(asks, answers, strict=True)
    )
    at = {f"at_{top}": accuracy(asks, answers, top) for top in (1, 3)}
    return at | {"wrong": wrong / len(asks)}


def _nothing(finder: Finder) -> dict[str, Any]:
    """What sentences find that no page is about."""
    found: dict[str, dict[str, str]] = {TUNED: {}, HELD_OUT: {}}
    lists = _read()["nothing"].values()
    for texts in lists:
        for number, text in enumerate(texts):
            if answer := finder.ranked(text):
                found[HELD_OUT if number % 2 else TUNED][text] = answer[0]
    return {"asked": sum(map(len, lists)), "found": found}


def print_sentences(found: dict[str, Any]) -> None:
    """Print what was measured."""
    for row in found["table"]:
        scores = f"{row['at_1']:.3f}/{row['at_3']:.3f}, wrong first {row['wrong']:.3f}"
        print(f"{row['group']:14} {row['half']:9} {row['asked']:4}  {scores}")
    nothing = found["nothing"]
    count = sum(map(len, nothing["found"].values()))
    print(f"sentences without a page: {nothing['asked']}, answered: {count}, {nothing['found']}")


def _read() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(FILE.read_text("utf-8"))
    return found


if __name__ == "__main__":
    diagnoser = Diagnoser(load_book(ROOT, strict=False))
    print_sentences(measure_sentences(diagnoser))
    for later in LATER:
        print_sentences(measure_later(diagnoser, later))
