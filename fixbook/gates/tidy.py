"""Nothing of somebody's machine, and nothing unfinished, is published."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.book import QUERIES_FILE
from fixbook.problem import Problem
from fixbook.text import LANGS, _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.gates.reading import Reading

_PRIVATE = re.compile(
    r"(?<![\w.])(/root/|/home/\w+/|/Users/\w+/|/work/\w+|/tmp/\w+|[A-Z]:\\Users\\)"
)
_ALLOWED = re.compile(r"/home/(?:user|ubuntu)/|/Users/user/|/root/(?:miniconda3|\.cache)/|/tmp/ray")
_SUFFIXES = {".yaml", ".yml", ".py", ".json", ".txt", ".log", ".md", ".cpp", ".cu", ".h"}


def nothing_of_the_machine(reading: Reading) -> Iterator[Problem]:
    """Find paths of one machine in entries, recipes and evidence.

    Logs quoted from public reports and what people paste are exempt: paths are part of them.
    """
    for item in reading.entries:
        for path in sorted(item.folder.rglob("*")):
            quoted = path.parent.name == "logs" or path.name == QUERIES_FILE
            if path.suffix not in _SUFFIXES or quoted or path.parent.name == "__pycache__":
                continue
            for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
                found = _PRIVATE.search(_ALLOWED.sub("", line))
                if found:
                    mend = _("leave it out, or add its folder to what evidence scrubs")
                    what = _("holds the path {path!r}").format(path=found[0])
                    yield Problem(f"{path}:{number}", what, mend)


def nothing_cut_off(reading: Reading) -> Iterator[Problem]:
    """Find unquoted texts that end in mid-sentence, because `` #`` begins a comment in YAML."""
    for item in reading.entries:
        for key, rest in item.source.cut.items():
            if key and key[-1] in LANGS:
                what = _("{name} is cut off before {rest!r}")
                what = what.format(name=".".join(map(str, key)), rest=rest[:40])
                yield Problem(item.source.where(key), what, _("put the text in quotes"))


def nothing_unfinished(reading: Reading) -> Iterator[Problem]:
    """Find what a scaffold left to fill in."""
    for path in _authored(reading):
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
            if "TODO" in line:
                yield Problem(f"{path}:{number}", _("is not filled in"), _("replace the TODO"))


def _authored(reading: Reading) -> Iterator[Path]:
    """The files of entries, rules and messages that somebody writes."""
    patterns = ("*.py", "*.yaml", "logs/*", "configs/*")
    for item in reading.entries:
        yield from sorted(path for pattern in patterns for path in item.folder.glob(pattern))
    for rule in reading.book.rules.values():
        yield from sorted(rule.folder.glob("*.*"))
    folder = reading.book.root / "symptoms"
    yield from (folder / f"{name}.yaml" for name in sorted(reading.book.symptoms))
