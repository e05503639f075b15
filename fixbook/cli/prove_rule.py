"""What must hold of a rule: its texts, its two configurations, and what its tool says of them."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

from fixbook.cli.prove_parts import Part
from fixbook.config.check import check
from fixbook.config.read import read_file
from fixbook.gates import GATES
from fixbook.gates.reading import Reading
from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.book import Book, BookRule

_TEXTS = (
    "parity", "terms", "negation", "opposites", "markdown", "comments", "marks", "unfinished",
    "cut-off",
)  # fmt: skip
_PROOFS = "tests/config"  # the tools are asked by the suite, which needs all of them
_TIMEOUT_S = 900
_EVERY_CASE = {"FIXBOOK_STEPS": "all"}  # not the day's part, where the suite calls this
_SKIPPED = re.compile(r"\d+ skipped")
_SAID = re.compile(r"^(?:fails|passes)\.\w+: .*", re.MULTILINE)


def rule_of(book: Book, name: str) -> BookRule:
    """Return a rule of a book that was loaded with its mistakes.

    Raises:
        BookError: It cannot be read.
    """
    if name in book.rules:
        return book.rules[name]
    raise BookError([one for one in book.problems if f"/rules/{name}/" in one.where])


def rule_written(book: Book, name: str) -> Part:
    """Hold the gates on texts and on rules against a rule."""
    rule = book.rules[name]
    one = dataclasses.replace(book, rules={name: rule})
    alone = dataclasses.replace(one, entries={}, symptoms={}, sources={})
    readings = {"rules": Reading(one), **dict.fromkeys(_TEXTS, Reading(alone))}
    found = [
        (gate, problem)
        for gate, reading in readings.items()
        for problem in GATES[gate](reading)
        if problem.where.startswith(f"{rule.folder}/")
    ]
    return Part(found)


def rule_reported(rule: BookRule) -> Part:
    """Check the two configurations as a reader would: one is reported, the other is not."""
    return Part([("fixtures", problem) for problem in _wrongly_reported(rule)])


def _wrongly_reported(rule: BookRule) -> Iterator[Problem]:
    for name in ("fails", "passes"):
        path = rule.fixture(name)
        if path is None:
            continue  # a gate says so
        try:
            report = check([read_file(path)])
        except BookError as error:
            yield from error.problems
            continue
        reported = {finding.rule for finding in report.findings}
        if report.unrecognised:
            mend = _(
                "add what tells a reader's file: other keys of the tool, or the call in a script, "
                "as the fixtures of its other rules do"
            )
            yield Problem(str(path), _("no tool is recognised in it, so no rule is asked"), mend)
        elif name == "fails" and rule.folder.name not in reported:
            mend = _("mend 'when' or the file; 'fixbook check {path}' says what is found in it")
            yield Problem(str(path), _("the rule does not report it"), mend.format(path=path))
        if name == "passes" and reported:
            what = _("is reported: {rules}").format(rules=", ".join(sorted(reported)))
            yield Problem(str(path), what, _("nothing may be found in the sound configuration"))


def rule_proven(root: Path, rule: BookRule) -> Part:
    """Ask the tool about both configurations, and show what it said."""
    tests = root / _PROOFS
    if not tests.is_dir():
        return Part([], [_("not run: tools are asked by the suite, which is in a checkout")])
    if any("TODO" in path.read_text("utf-8", "replace") for path in rule.folder.glob("*.*")):
        return Part([], [_("not asked yet: a TODO is left in the rule or its files")])
    asked = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rP", "-n", "0", str(tests), "-m", "tools",
         "-k", f"{rule.folder.name}]"],
        cwd=root, env={**os.environ, **_EVERY_CASE}, capture_output=True, text=True,
        timeout=_TIMEOUT_S, check=False,
    )  # fmt: skip
    said = [line[:300] for line in _SAID.findall(asked.stdout)]
    if asked.returncode == 0 and not _SKIPPED.search(asked.stdout):
        return Part([], said, _("its proof holds"))
    what = _("the tool does not do what the rule says")
    mend = _("mend 'proof' or the rule; the end of what was run:") + "\n" + asked.stdout[-1500:]
    return Part([("proof", Problem(rule.where("proof"), what, mend))], said)
