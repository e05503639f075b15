"""What each tool does; all of them only read."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from fixbook.agent import answers
from fixbook.api.book import Book
from fixbook.api.configurations import check_files
from fixbook.api.logs import Reader
from fixbook.book_root import book_root
from fixbook.config.output import as_text, summary
from fixbook.config.patch import work_out
from fixbook.index.cache import boundaries
from fixbook.installed.formats import read_inventory
from fixbook.installed.inventory import this_environment
from fixbook.installed.judge import audit
from fixbook.installed.output import as_text as audit_text
from fixbook.log.redact import blank
from fixbook.problem import BookError, Problem
from fixbook.text import _, printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.agent.roots import Roots
    from fixbook.text import Lang

MOST_TEXT = 200_000


class Tools:
    """The tools over one book.

    Args:
        roots: The folders that may be read.
        lang: Language of the answers.
    """

    def __init__(self, roots: Roots, lang: Lang) -> None:
        self._roots = roots
        self._lang: Lang = lang
        self._root = book_root()
        self._reader = Reader(self._root)
        self._book = Book(self._root)
        self._scanning = threading.Lock()  # a scanner serves one log at a time

    def diagnose(self, path: str, text: str, watch: Callable[[int], None]) -> str:
        """Say which entry explains a log; see `fixbook.api.logs.Reader.sources`.

        Args:
            path: A log below a root, or a folder of per-rank logs; empty for ``text``.
            text: A log instead.
            watch: Called with the bytes of each part read.

        Raises:
            BookError: Neither or both were given, the text is too long, or it cannot be read.
        """
        if bool(path) == bool(text):
            raise _refused("path", _("give either a path or a text"))
        if len(text) > MOST_TEXT:
            said = _("is longer than {most} characters").format(most=MOST_TEXT)
            raise _refused("text", said, _("give the path of the log, or its end"))
        notes: list[str] = []
        sources, left = self._roots.logs(path) if path else ([], 0)
        if left:
            notes.append(_("{left} links that lead elsewhere were not read").format(left=left))
        with self._scanning:
            if path:
                told = self._reader.sources(sources, self._lang, watch=watch)
            else:
                told = self._reader.text(text, self._lang)
        row = self._reader.row(told, self._lang)
        return answers.diagnosis(row, self._book, self._lang, [*told.notes, *notes])

    def check(self, paths: list[str], tool: str) -> str:
        """Check configurations together; see `fixbook.api.configurations.check_files`.

        Args:
            paths: Files below a root.
            tool: What they are for, as ``TOOL`` or ``TOOL@VERSION``; empty to recognise it.

        Raises:
            BookError: No file was named, or one leads elsewhere.
        """
        if not paths:
            raise _refused("paths", _("name a file"))
        checked = check_files([self._roots.path(path) for path in paths], tool)
        work_out(checked.report.findings)
        found = [as_text(one, self._lang, colour=False) for one in checked.report.findings]
        told = [problem.as_text(self._lang) for problem in checked.problems]
        return _told("\n".join([*found, *told, *summary(checked.report, self._lang)]))

    def entry(self, name: str, part: str) -> str:
        """Return the page of an entry or a message, or a part; see `answers.entry`.

        Raises:
            BookError: There is none; the nearest names are given.
        """
        return answers.entry(self._book.page(name, self._lang), part, self._lang)

    def audit(self, path: str) -> str:
        """Name the failures that releases are known for.

        Args:
            path: A lock, requirements, or a list by pip, below a root; empty for what is installed
                where the server runs.

        Raises:
            BookError: It cannot be read.
        """
        inventory = read_inventory(str(self._roots.path(path))) if path else this_environment()
        found = audit(inventory, boundaries(self._root))
        return _told("\n".join(audit_text([found], self._lang)))

    def entries(self, words: str) -> str:
        """Return the entries that a project, a category or words lead to."""
        heads = self._book.entries(self._lang)
        asked = words.strip().lower()
        of_group = [
            one
            for one in heads
            if asked in {name.lower() for name in (*one["projects"], *one["categories"])}
        ]
        if not of_group:
            names = self._reader.finder.ranked(words)
            known = {one["slug"]: one for one in heads}
            of_group = [known[name] for name in names if name in known]
        return answers.listed(of_group, words)


def _told(text: str) -> str:
    """Name the tool that an agent has, where a person is told the command."""
    return str(blank(printable(text))).replace("fixbook show ", _("tool `entry`: "))


def _refused(where: str, what: str, mend: str = "") -> BookError:
    return BookError([Problem(where, what, mend)])
