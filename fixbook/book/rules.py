"""The rules of a book: those with a file of their own, and those that stand in entries."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fixbook.book.containment import stay_within
from fixbook.book.rule import Rule
from fixbook.book.validation import build_model
from fixbook.book.yaml_source import read_yaml
from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fixbook.book.entry import Entry
    from fixbook.book.rule_row import RuleRow
    from fixbook.book.yaml_source import Key, YamlSource

RULES = "rules"


@dataclass(frozen=True, slots=True)
class BookRule:
    """A rule with its place in the book.

    Attributes:
        rule: The typed content.
        folder: Its folder, which holds a failing and a passing fixture.
        source: The YAML it was read from, for line numbers.
        key: Where it stands in that file.
        entry: Slug of the entry that it stands in, or names.
    """

    rule: Rule
    folder: Path
    source: YamlSource
    key: Key = ()
    entry: str | None = None

    def where(self, *key: str | int) -> str:
        """Return ``path:line`` of a part of the rule."""
        return self.source.where((*self.key, *key))

    def row(self) -> RuleRow:
        """Return plain data, as the compiled index holds it."""
        return self.rule.row(self.entry)

    def fixture(self, name: str) -> Path | None:
        """Return the file ``fails.*`` or ``passes.*``, or None if there is none.

        Where a trainer's file comes with DeepSpeed's, the trainer's is the one that is checked.
        """
        files = sorted(self.folder.glob(f"{name}.*"), key=lambda path: path.suffix == ".json")
        return files[0] if files else None


def load_rule(folder: Path) -> BookRule:
    """Load a rule from its folder.

    Raises:
        BookError: Its file is missing or wrong, or a file of it lies elsewhere.
    """
    path = folder / "rule.yaml"
    if not path.is_file():
        mend = _("write it there, or remove the folder if no entry has a rule of this name")
        raise BookError([Problem(str(path), _("is missing"), mend)])
    stay_within(folder)
    source = read_yaml(path)
    if not isinstance(source.value, dict):
        mend = _("write keys with values")
        raise BookError([Problem(str(path), _("is no rule"), mend)])
    if "id" in source.value:
        mend = _("remove it: a rule is called as its folder")
        what = _("{name}: unknown key").format(name="id")
        raise BookError([Problem(source.where(("id",)), what, mend)])
    named = replace(source, value={"id": folder.name, **source.value})
    rule = build_model(Rule, named)
    return BookRule(rule, folder, source, entry=rule.entry)


def rules_of(slug: str, entry: Entry, source: YamlSource, root: Path) -> list[BookRule]:
    """Return the rules of an entry; their fixtures lie where those of other rules do."""
    return [
        BookRule(rule, root / RULES / rule.id, source, ("config_rules", index), slug)
        for index, rule in enumerate(entry.config_rules)
    ]


def by_id(rules: Iterable[BookRule], problems: list[Problem]) -> dict[str, BookRule]:
    """Sort rules by id; what comes twice is a problem."""
    found: dict[str, BookRule] = {}
    for item in sorted(rules, key=lambda item: item.rule.id):
        first = found.setdefault(item.rule.id, item)
        if first is not item:
            what = _("{where} has a rule called {id!r} as well")
            what = what.format(where=first.where(), id=item.rule.id)
            problems.append(Problem(item.where(), what, _("rename one of them")))
    return found
