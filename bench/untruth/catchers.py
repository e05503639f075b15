"""What may catch an untruth: the model, the gates, a run, the tools, the fixtures, the page."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from fixbook.book import Book, load_book, load_entry
from fixbook.config.check import check
from fixbook.config.read import read_file
from fixbook.gates import GATES
from fixbook.gates.reading import Reading
from fixbook.gates.snippets import valid_snippets
from fixbook.index.build import index_of
from fixbook.index.cache import rule_rows
from fixbook.problem import BookError, Problem
from fixbook.recipe.reading import read_outline
from fixbook.recipe.record import judge_beside_controls
from fixbook.recipe.running import Job, run_jobs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from bench.untruth.draft import Draft

WHOLE = {"links", "negative-controls", "other-logs", "queries", "rules", "slugs", "terms", "pins"}
_UNLIKE = re.compile(r":\d+(?= |$)|\b\d+ problems?\b")


@dataclasses.dataclass(frozen=True, slots=True)
class Catch:
    """A problem, and who found it."""

    by: str
    what: str


def gates(book: Book, slug: str, names: Collection[str]) -> Iterator[Catch]:
    """Yield what the model and some gates have against an entry, without line numbers.

    Args:
        book: The book; gates that compare entries see all of it.
        slug: The entry.
        names: The gates to ask.
    """
    yield from (Catch("model", _without_lines(problem)) for problem in book.problems)
    named = {name: item for name, item in book.entries.items() if name == slug}
    whole, alone = Reading(book), Reading(dataclasses.replace(book, entries=named))
    for name, gate in GATES.items():
        if name not in names:
            continue
        try:
            for problem in gate(whole if name in WHOLE else alone):
                yield Catch(name, _without_lines(problem))
        except BookError as error:
            yield from (Catch(name, _without_lines(problem)) for problem in error.problems)


def spoilt(clean: Book, draft: Draft, *, about_rules: bool = False) -> Book:
    """Return a book in which a draft has taken the place of an entry.

    Args:
        clean: The book without the untruth.
        draft: The entry with it.
        about_rules: Whether rules are read again, too; that takes long.
    """
    entries = {name: item for name, item in clean.entries.items() if name != draft.slug}
    problems: list[Problem] = []
    for folder in sorted((draft.root / "recipes").iterdir()):
        try:
            entries[folder.name] = load_entry(folder)
        except BookError as error:
            problems += error.problems
    entries = dict(sorted(entries.items()))
    book = Book(draft.root, entries, clean.symptoms, clean.sources, clean.rules, tuple(problems))
    if not about_rules:
        return book
    for folder in draft.others:  # rules of entries are read with the entries
        (draft.root / "recipes" / folder.name).symlink_to(folder)
    return load_book(draft.root, strict=False)


def _without_lines(problem: Problem) -> str:
    return _UNLIKE.sub("", f"{Path(problem.where).name}: {problem.what}")


def run(draft: Draft) -> Iterator[Catch]:
    """Run the steps that an untruth is about, as ``fixbook verify`` does."""
    book = load_book(draft.root, strict=False)
    item = book.entries[draft.slug]
    steps = read_outline(item.recipe).steps
    jobs = [Job(item, steps[name]) for name in dict.fromkeys(draft.to_run)]
    results = (one for _, one in run_jobs(jobs, index_of(book), Event()))
    for result in judge_beside_controls(results, book.entries):
        if result.verdict.status == "failed":
            yield Catch("verify", f"{result.step.name}: {result.verdict.reason}")


def tools(draft: Draft) -> Iterator[Catch]:
    """Ask the tools about the configurations of an entry that are quick to ask about."""
    item = load_entry(draft.folder)
    quick = [
        fix.model_copy(
            update={"config": [c for c in fix.config if c.tool in {"transformers", "deepspeed"}]}
        )
        for fix in item.entry.fixes
    ]
    entry = item.entry.model_copy(update={"fixes": quick})
    book = Book(draft.root, {draft.slug: dataclasses.replace(item, entry=entry)})
    yield from (Catch("tools", _without_lines(problem)) for problem in valid_snippets(book))


def fixtures(draft: Draft) -> Iterator[Catch]:
    """Hold every rule against its two fixtures, as the suite does."""
    rows = {row["id"]: row for row in rule_rows(draft.root)["rules"]}  # `rules` keeps the first
    for name, row in rows.items():
        folder = draft.root / "rules" / name
        # Where a trainer's file comes with DeepSpeed's, the trainer's is the one to check.
        fails = min(folder.glob("fails.*"), key=lambda path: path.suffix == ".json")
        for path in (fails, folder / f"passes{fails.suffix}"):
            found = check([read_file(path)], list(rows.values())).findings
            reported = any(finding.rule == row["id"] for finding in found)
            if reported is not (path is fails):
                said = "is reported" if reported else "is not reported"
                yield Catch("fixtures", f"{name}: {path.name} {said}")


def page(draft: Draft) -> Iterator[Catch]:
    """Build the pages of an entry."""
    from generator.site.build import SiteError  # noqa: PLC0415
    from generator.site.one_page import built_alone  # noqa: PLC0415  (MkDocs is slow to import)
    from generator.text.page_text import PageError  # noqa: PLC0415

    try:
        for lang, seen in built_alone(load_book(draft.root, strict=False), draft.slug).items():
            if seen.objection:
                yield Catch("page", f"{lang}: {seen.objection}")
    except (PageError, SiteError, BookError) as error:
        yield Catch("page", str(error).splitlines()[0])
