"""Measure how well a pasted failure is found, beside the searches that sites have today.

    python -m bench.find [--corpus ROWS.jsonl] [--pagefind "npx pagefind"] [--write]

The corpus of other people's logs is not part of the repository; name it to measure on it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.broken_jobs import measure as measure_jobs
from bench.engines import Material, Pagefind, PlainBm25, UnavailableError, build_stock_site
from bench.finding import (
    ROOT,
    Ask,
    Diagnoser,
    Engine,
    accuracy,
    corpus,
    own_logs,
    queries,
    uncovered,
    wrong_entries,
)
from bench.finding_page import write_pages
from bench.healthy_logs import healthy_logs
from bench.mutations import chosen, losses, show
from bench.sentences import GROUPS as SENTENCES
from bench.sentences import measure_sentences, print_sentences, sentence_queries
from bench.word_queries import GROUPS as WORD_GROUPS
from bench.word_queries import measure_words, print_words, word_queries
from fixbook.book import load_book

if TYPE_CHECKING:
    from collections.abc import Callable

_WORDS = tuple(group for groups in WORD_GROUPS.values() for group in groups.values())
GROUPS = (
    *("log", "line", "variant", "paste", "keywords", "chinese"),
    *(*_WORDS, *SENTENCES.values(), "corpus: entry"),
)


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Ask every engine everything."""
    book = load_book(ROOT, strict=False)
    asks = [*own_logs(book), *queries(book), *word_queries(book), *sentence_queries()]
    asks += corpus(book, arguments.corpus) if arguments.corpus else []
    groups: dict[str, list[Ask]] = defaultdict(list)
    for ask in asks:
        groups[ask.group].append(ask)
    diagnoser = Diagnoser(book)
    with tempfile.TemporaryDirectory() as scratch:
        engines, missing = _engines(Path(scratch), diagnoser, arguments)
        table = [
            {"group": name, "asked": len(groups[name])}
            | {engine: _scores(groups[name], made) for engine, made in engines.items()}
            for name in (*GROUPS, "corpus: message")
            if groups[name]
        ]
    without = [ask for ask in asks if ask.group in {"corpus: message", "corpus: neither"}]
    healthy, lines = _healthy(diagnoser)
    return {
        "table": table,
        "missing": missing,
        "misses": _misses(groups, diagnoser),
        "wrong_with_entry": wrong_entries([a for a in asks if a not in without], diagnoser),
        "without_entry": len(without),
        "wrong_without_entry": wrong_entries(without, diagnoser),
        "broken_jobs": measure_jobs(diagnoser),
        "uncovered": uncovered([ask for ask in asks if ask.group == "corpus: neither"], diagnoser),
        "healthy": healthy,
        "healthy_lines": lines,
        "entries": len(book.entries),
        "words": measure_words(book, diagnoser, arguments.corpus),
        "sentences": measure_sentences(diagnoser),
        "mutations": losses(chosen([a for a in asks if _pasted(a, asks)], diagnoser), diagnoser),
    }


def _pasted(ask: Ask, asks: list[Ask]) -> bool:
    """Tell whether a text is mutated: of other people's logs, or of our own where there is none."""
    others = any(one.group.startswith("corpus") for one in asks)
    return ask.group.startswith("corpus") if others else ask.group in {"log", "paste", "line"}


def _engines(
    scratch: Path, diagnoser: Diagnoser, arguments: argparse.Namespace
) -> tuple[dict[str, Engine], dict[str, str]]:
    site = scratch / "zh"
    build_stock_site(site)
    makers: dict[str, Callable[[], Engine]] = {
        "fixbook": lambda: diagnoser,
        "bm25": lambda: PlainBm25(site),
        "material": lambda: Material(site),
        "pagefind": lambda: Pagefind(site, scratch, arguments.pagefind),
    }
    engines: dict[str, Engine] = {}
    missing: dict[str, str] = {}
    for name, make in makers.items():
        try:
            engine = make()
            engine.all_ranked(["CUDA error"])
            engines[name] = engine
        except UnavailableError as reason:
            missing[name] = str(reason)
    return engines, missing


def _scores(asks: list[Ask], engine: Engine) -> dict[str, float]:
    answers = engine.all_ranked([ask.text for ask in asks])
    return {
        "at_1": accuracy(asks, answers, 1),
        "at_3": accuracy(asks, answers, 3),
        "empty": sum(not answer for answer in answers),
    }


def _misses(groups: dict[str, list[Ask]], diagnoser: Diagnoser) -> list[str]:
    found = []
    for name in GROUPS:
        answers = diagnoser.all_ranked([ask.text for ask in groups[name]])
        for ask, answer in zip(groups[name], answers, strict=True):
            if not ask.right.intersection(answer[:1]):
                found.append(f"{ask.name}: {', '.join(answer[:3]) or 'nothing'}")
    return found


def _healthy(diagnoser: Diagnoser) -> tuple[dict[str, Any], int]:
    logs = size = lines = 0
    specific: list[str] = []
    messages: list[str] = []
    for name, text in healthy_logs():
        logs, size, lines = logs + 1, size + len(text.encode()), lines + text.count("\n")
        for match in diagnoser.diagnosis(text).matches:
            where = f"{name}:{match.line.number} {match.owner}"
            (specific if match.specific else messages).append(where)
    return {"logs": logs, "bytes": size, "specific": specific, "messages": messages}, lines


def main() -> None:
    """Measure, print, and write the pages if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    given = os.environ.get("FIXBOOK_CORPUS")
    parser.add_argument("--corpus", type=Path, default=Path(given) if given else None)
    parser.add_argument("--pagefind", default=os.environ.get("FIXBOOK_PAGEFIND", "pagefind"))
    parser.add_argument("--write", action="store_true", help="write docs/*/finding.md")
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    found = measure(arguments)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, ensure_ascii=False, indent=2), "utf-8")
    if arguments.write:
        write_pages(found, ROOT / "docs")
    for row in found["table"]:
        scores = (
            f"{name} {row[name]['at_1']:.3f}/{row[name]['at_3']:.3f} ({row[name]['empty']} empty)"
            for name in ("fixbook", "bm25", "material", "pagefind")
            if name in row
        )
        print(f"{row['group']:16} {row['asked']:4}  " + "   ".join(scores))
    for name, reason in found["missing"].items():
        print(f"{name} was not run: {reason}", file=sys.stderr)
    print_words(found["words"])
    print_sentences(found["sentences"])
    wrong = found["wrong_without_entry"]
    print(f"rows without an entry: {found['without_entry']}, wrong entries: {wrong}")
    print(f"rows with an entry, wrong entries: {found['wrong_with_entry']}")
    print(f"healthy: {found['healthy']}")
    show(found["mutations"])
    print(f"jobs without an entry: {found['broken_jobs']}")
    print(f"corpus rows without an entry: {found['uncovered']}")
    print("misses:", *found["misses"], sep="\n  ")


if __name__ == "__main__":
    main()
