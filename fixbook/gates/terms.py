"""Chinese texts use the words of ``terms.yaml``, and full-width punctuation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from fixbook.book import Line, Pattern, Slug, build_model, read_yaml
from fixbook.gates.chinese import Passage, passages
from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.gates.reading import Reading

FILE = "terms.yaml"
_CODE = r"(?ms)^\s*(?P<mark>```+|~~~+).*?^\s*(?P=mark)\s*$|`[^`]*`|\{\{[^{}]*\}\}|\{[^{}\n]*\}"
_LINKS = r"\]\([^)\s]*\)|<[^<>]*>|https?://[^\s）」”]+"
_QUOTED = r"“[^”]*”|「[^」]*」"
_HIDDEN = re.compile(f"{_CODE}|{_LINKS}|{_QUOTED}")


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Term(_Model):
    """One thing, its word in each language, and what must not be written instead."""

    zh: Line
    en: Line
    wrong: list[Pattern] = Field(alias="not", min_length=1)
    note: str = ""


class Typography(_Model):
    """A habit of punctuation, the patterns that break it, and how to mend them."""

    id: Slug
    wrong: Pattern = Field(alias="not")
    mend: Line


class Terms(_Model):
    """The whole list."""

    terms: list[Term]
    typography: list[Typography]


@dataclass(frozen=True, slots=True)
class _Check:
    pattern: re.Pattern[str]
    what: str
    mend: str


def read_terms(path: Path) -> Terms:
    """Read a list of terms.

    Raises:
        BookError: The file is missing or wrong.
    """
    return build_model(Terms, read_yaml(path))


def chinese_terms(reading: Reading) -> Iterator[Problem]:
    """Check every Chinese text of the book, and of the checkout around it.

    A book without a list of terms has nothing to be checked against.
    """
    root = reading.book.root
    path = root / FILE
    if not path.is_file():
        return
    checks = _checks(read_terms(path))
    for passage in passages(root):
        yield from _problems(passage, checks)


def _checks(terms: Terms) -> list[_Check]:
    words = [
        _Check(
            _compiled("|".join(term.wrong)),
            _("the Chinese text says {found!r}"),
            _("write {term}").format(term=term.zh) + (f"; {term.note}" if term.note else ""),
        )
        for term in terms.terms
    ]
    habits = [
        _Check(_compiled(habit.wrong), f"{habit.id}: {{found!r}}", habit.mend)
        for habit in terms.typography
    ]
    return words + habits


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII | re.MULTILINE)  # ASCII: a Han character ends a word


def _problems(passage: Passage, checks: list[_Check]) -> Iterator[Problem]:
    text = _HIDDEN.sub(_blank, passage.text)
    for check in checks:
        for match in check.pattern.finditer(text):
            line = passage.line + text.count("\n", 0, match.start())
            found = match[0].strip().replace("\n", " ")
            yield Problem(f"{passage.path}:{line}", check.what.format(found=found), check.mend)


def _blank(match: re.Match[str]) -> str:
    """Stand in for code or a quotation: as many lines, and a mark that is no word."""
    return "`" + "\n" * match[0].count("\n")
