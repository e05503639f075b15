"""The parts of ``fixbook prove``: gates, steps, configurations, pages."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

from fixbook.book_root import BOOK_VARIABLE
from fixbook.exits import FAILED
from fixbook.gates import GATES
from fixbook.gates.one_entry import RECORDED, WRITTEN, problems_of
from fixbook.gates.reading import Reading
from fixbook.problem import Problem
from fixbook.recipe.reading import pins, write_pins
from fixbook.recipe.record import load_evidence
from fixbook.text import LANGS, _, language

if TYPE_CHECKING:
    from pathlib import Path

    import click

    from fixbook.book import Book, BookEntry
    from fixbook.text import Lang

_PAGE_TIMEOUT_S = 900  # a busy machine takes minutes


@dataclasses.dataclass(frozen=True, slots=True)
class Part:
    """One part of the work.

    Attributes:
        problems: What is left to do, each with the name of what asks for it.
        notes: What else is to be said.
        ending: What the last line says of it.
    """

    problems: list[tuple[str, Problem]] = dataclasses.field(default_factory=list)
    notes: list[str] = dataclasses.field(default_factory=list)
    ending: str = ""


def written(reading: Reading, slug: str) -> Part:
    """Write the pinned versions into the recipe's header; hold the gates that need no record."""
    notes = []
    with contextlib.suppress(ValueError, OSError):  # a gate says which
        book = reading.book
        scripts = sorted(book.entries[slug].folder.glob("*.py"))
        names = ", ".join(path.name for path in write_pins(scripts, pins(book.root)))
        notes += [_("wrote the pinned versions into {names}").format(names=names)] if names else []
    return Part(list(problems_of(reading, slug, WRITTEN)), notes)


def message_written(book: Book, name: str) -> Part:
    """Hold all gates of the book against the page of a message that entries share."""
    reading = Reading(book)
    found = [(gate, one) for gate, ask in GATES.items() for one in ask(reading)]
    where = re.compile(rf"(?:^|/)symptoms/{re.escape(name)}\.yaml\b")
    return Part([pair for pair in found if where.search(pair[1].where)])


def steps(ctx: click.Context, slug: str, lang: Lang, *, no_run: bool) -> Part:
    """Run the steps whose record does not count, and record those that hold."""
    if no_run:
        return Part([], [_("not run, as --no-run asks")])
    from fixbook.cli import verify

    code = ctx.invoke(
        verify.command, slugs=(slug,), recording=True, only_changed=True, lang=lang
    )  # the other options have their defaults
    if code != FAILED:
        return Part()
    mend = _("'fixbook run {slug} --step NAME --log' shows one step with its log").format(slug=slug)
    return Part([("steps", Problem(slug, _("a step does not show what it should"), mend))])


def recorded(reading: Reading, slug: str) -> Part:
    """Hold the gates that rest on the record against an entry."""
    if load_evidence(reading.book.entries[slug]):
        return Part(list(problems_of(reading.anew(), slug, RECORDED)))
    mend = _("mend the steps above, or leave out --no-run")
    return Part([("freshness", Problem(slug, _("no step is recorded yet"), mend))])


def configurations(book: Book, slug: str) -> Part:
    """Hold the entry's configurations against the tools they are for, where those are here."""
    from fixbook.gates.snippets import valid_snippets  # imports what the tools need

    item = book.entries[slug]
    missing = _missing_tools(item)
    if missing:
        note = _("not held against {tools}, which is not installed ('make env' installs it)")
        return Part([], [note.format(tools=", ".join(missing))])
    alone = dataclasses.replace(book, entries={slug: item})
    return Part([("snippets", problem) for problem in valid_snippets(alone)])


def _missing_tools(item: BookEntry) -> list[str]:
    from fixbook.gates.tool_checks import TOOLS, version_of

    named = {change.tool for fix in item.entry.fixes for change in fix.config}
    if any(one.language in {"yaml", "json"} for one in item.entry.snippets.values()):
        named |= set(item.entry.projects)
    return sorted(name for name in named & TOOLS.keys() if version_of(name) is None)


def pages(root: Path, slug: str) -> Part:
    """Build the entry's pages in both languages and count their open words."""
    if importlib.util.find_spec("mkdocs") is None:
        missing = _("pages not built: 'make site' installs what builds them")
        return Part([], [missing], missing)
    built = subprocess.run(
        [sys.executable, "-m", "generator", "--lang", language(), "page", slug],
        env={**os.environ, BOOK_VARIABLE: str(root)},
        cwd=root if (root / "generator").is_dir() else None,  # no wheel has it: the checkout's
        capture_output=True,
        text=True,
        timeout=_PAGE_TIMEOUT_S,
        check=False,
    )
    if built.returncode:
        what = built.stderr.strip().removeprefix(_("error: {what}").format(what=""))
        mend = _("'make site' shows the pages as they are, and builds them again on every change")
        return Part([("page", Problem(slug, what, mend))])
    seen = json.loads(built.stdout)
    problems = [
        ("page", Problem(f"{lang}/{slug}/", seen[lang]["objection"]))
        for lang in LANGS
        if seen[lang]["objection"]
    ]
    said = _("open text: {zh} of {most_zh} Chinese characters, {en} of {most_en} English words")
    counts = {lang: seen[lang]["length"] for lang in LANGS}
    most = {f"most_{lang}": seen[lang]["most"] for lang in LANGS}
    see = _("'make site' shows {zh} and {en}").format(zh=f"/zh/{slug}/", en=f"/en/{slug}/")
    text = said.format(**counts, **most)
    return Part(problems, [text], _("{text}; {see}").format(text=text, see=see))
