"""How often the fix that an answer shows first is the one for the log.

Two kinds of logs: what the steps of the book printed, where a fix fits if it was executed against
that step; and lines of public threads whose end is known (first_fix.yaml and, labelled before the
book was asked, first_fix_drawn.yaml, first_fix_held.yaml, first_fix_fourth.yaml and
first_fix_fifth.yaml). Prints each miss and all shares, and those of three mixed lots, three logs of
each of 20 entries (the last from entries that no earlier file asks about):
``python -m bench.first_fix``.

A line that several causes print is answered by the page of the message: what counts then is the
first fix of the entry that its first question names, and how many fit so is said beside the share.
Where the right answer is such a page, its text is the fix. Threads that ended in what the page does
not say, and logs that no page or another one answers, are misses, and their numbers are said.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from fixbook.book import load_book
from fixbook.book_root import book_root
from fixbook.index.build import rows_from
from fixbook.log.advice import advice_of
from fixbook.log.answer import answer_of
from fixbook.log.cases import Shown
from fixbook.log.finder import Finder
from fixbook.recipe.reading import read_outline
from fixbook.recipe.record import load_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fixbook.book import Book, BookEntry

THREADS = Path(__file__).with_suffix(".yaml")
DRAWN = THREADS.with_stem("first_fix_drawn")
HELD = THREADS.with_stem("first_fix_held")
FOURTH = THREADS.with_stem("first_fix_fourth")
FIFTH = THREADS.with_stem("first_fix_fifth")
TEXT = "text"  # in place of a fix's id: the page of a message has no fixes
_NOTHING = "(nothing)"
_LOT = 3  # logs of an entry
_ENTRIES = 20  # of a lot at least
_SEEDS = {THREADS: 20, DRAWN: 21}
_FRESH = 23  # the lot of the fourth file


@dataclass(frozen=True, slots=True)
class Sample:
    """A log whose fix is known.

    Attributes:
        slug: The entry that explains it, or the page of its message.
        name: The step that printed it, or the address of the thread.
        text: The log.
        fits: Ids of the fixes that fit; none if the page has none that does.
    """

    slug: str
    name: str
    text: str
    fits: frozenset[str]


def of_steps(book: Book) -> Iterator[Sample]:
    """Yield the recorded logs that are recognised as their entry and that a fix was run against."""
    for item in book.entries.values():
        yield from _of_entry(item)


def _of_entry(item: BookEntry) -> Iterator[Sample]:
    recorded = load_evidence(item).get("cpu")
    if recorded is None:
        return
    steps = read_outline(item.recipe).steps.values()
    for step in steps:
        record = recorded.steps.get(step.name)
        fits = {one.target for one in steps if one.kind == "fix" and one.control == step.name}
        if step.kind == "reproduce" and fits and record and record.recognised == item.slug:
            yield Sample(item.slug, step.name, record.log, frozenset(fits))


def of_threads(path: Path) -> Iterator[Sample]:
    """Yield the lines of public threads.

    Args:
        path: The file that has them.
    """
    rows: list[dict[str, Any]] = yaml.safe_load(path.read_text("utf-8"))
    for row in rows:
        slug = row.get("entry") or row["page"]
        yield Sample(slug, row["url"], row["text"], frozenset(row["fits"]))


def by_lot(threads: Sequence[Sample], steps: Sequence[Sample], seed: int) -> Iterator[Sample]:
    """Yield three logs of each entry that has threads: two of those if there are, else of steps.

    Args:
        threads: Lines of public threads.
        steps: Logs of steps. Entries with three are drawn until there are enough.
        seed: Of the lot.
    """
    printed: dict[str, list[Sample]] = {}
    for one in steps:
        printed.setdefault(one.slug, []).append(one)
    slugs = sorted({one.slug for one in threads})
    unseen = [slug for slug, logs in printed.items() if len(logs) >= _LOT and slug not in slugs]
    unseen.sort(key=lambda slug: _drawn(seed, slug))
    for slug in slugs + unseen[: max(0, _ENTRIES - len(slugs))]:
        public = [one for one in threads if one.slug == slug]
        mine = sorted(printed.get(slug, []), key=lambda one: _drawn(seed, one.slug, one.name))
        drawn = mine[: _LOT - len(public[:2])]
        yield from (public[:2] + drawn + public[2:])[:_LOT]


def _drawn(seed: int, *names: str) -> float:
    """Return the lot of a log or an entry: one that is new to the book changes no other's."""
    return random.Random("/".join([str(seed), *names])).random()  # noqa: S311  (alike each time)


class Asked:
    """A book that is asked what to do about logs.

    Args:
        book: The book.
    """

    def __init__(self, book: Book) -> None:
        self._rows = rows_from(book)
        self._finder = Finder(self._rows)

    def first(self, sample: Sample) -> tuple[str, bool]:
        """Return the id of the first fix, or what the answer is, and whether a question led there.

        Args:
            sample: The log.
        """
        diagnosis = self._finder.diagnosis(sample.text)
        answer = answer_of(diagnosis, self._rows, [], "en")["answer"] or {}
        if answer.get("symptom") == sample.slug:
            return TEXT, False
        if answer.get("slug") == sample.slug:
            return str(answer["fixes"][0]["id"]), False
        if [one["slug"] for one in answer.get("causes", [])][:1] == [sample.slug]:
            shown = Shown(found=diagnosis.found)
            fixes = advice_of(self._rows["fixes"][sample.slug], shown, "en")["fixes"]
            return str(fixes[0]["id"]), True
        page = answer.get("slug") or answer.get("symptom")
        return f"({page})" if page else _NOTHING, False


def report(kind: str, asked: Asked, samples: Sequence[Sample]) -> None:
    """Print the misses of one kind of logs, and the share that fits."""
    fit = by_question = 0
    missed: list[str] = []
    for sample in samples:
        first, question = asked.first(sample)
        if first in sample.fits:
            fit += 1
            by_question += question
        else:
            missed.append(first)
            right = ", ".join(sorted(sample.fits)) or "said by the page"
            print(f"  {sample.slug}  {sample.name}: {first}, not {right}")
    share = f"{fit} of {len(samples)} ({fit / len(samples):.3f})"
    print(f"{kind}: the first fix fits in {share}, {by_question} by a message's first question")
    silent, other = missed.count(_NOTHING), sum(first[0] == "(" for first in missed)
    unsaid = sum(not one.fits for one in samples)
    print(f"  answered by no page: {silent}, by another: {other - silent}; not said: {unsaid}\n")


def main() -> None:
    """Ask about all samples."""
    book = load_book(book_root())
    asked = Asked(book)
    steps = list(of_steps(book))
    report("logs of steps", asked, steps)
    for path, seed in _SEEDS.items():
        threads = list(of_threads(path))
        report(f"public threads of {path.name}", asked, threads)
        report(f"by lot {seed}", asked, list(by_lot(threads, steps, seed)))
    held, fourth = list(of_threads(HELD)), list(of_threads(FOURTH))
    report(f"public threads of {HELD.name}", asked, held)
    report(f"public threads of {FOURTH.name}", asked, fourth)
    report(f"by lot {_FRESH}", asked, list(by_lot(fourth, _unasked(steps), _FRESH)))
    fifth = list(of_threads(FIFTH))
    entries = [one for one in fifth if one.slug in book.entries]
    report(f"public threads of {FIFTH.name}, of entries", asked, entries)
    pages = [one for one in fifth if one.slug not in book.entries]
    report(f"public threads of {FIFTH.name}, of messages", asked, pages)


def _unasked(steps: Sequence[Sample]) -> list[Sample]:
    """Return the logs of entries that no file of threads before the fourth asks about."""
    known = {one.slug for path in (*_SEEDS, HELD) for one in of_threads(path)}
    return [one for one in steps if one.slug not in known]


if __name__ == "__main__":
    main()
