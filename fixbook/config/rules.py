"""The rules that apply to a configuration, out of the compiled index."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fixbook.book_root import book_root
from fixbook.index.cache import rule_rows
from fixbook.versions import within

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fixbook.book import RuleRow
    from fixbook.config.tool import Schema


@cache
def rules(root: Path | None = None) -> dict[str, RuleRow]:
    """Return every rule by id, sorted.

    Args:
        root: The book; by default the one that `fixbook.book_root` finds.
    """
    rows: list[RuleRow] = rule_rows(root or book_root())["rules"]
    return {row["id"]: row for row in rows}


@cache
def applicable(schema: Schema) -> tuple[RuleRow, ...]:
    """Return the rules of the book that are about a release of a tool, sorted by id."""
    return about(schema, rules().values())


def about(schema: Schema, listed: Iterable[RuleRow]) -> tuple[RuleRow, ...]:
    """Return those of some rules that are about a release of a tool."""
    of_schema = f"{schema.tool.name}/{schema.name}"
    names = (of_schema,) if schema.stands_alone else (schema.tool.name, of_schema)
    return tuple(row for row in listed if _is_about(row["tools"], names, schema.release))


def _is_about(ranges: dict[str, str], names: tuple[str, ...], release: str) -> bool:
    # Of a tool without a key table no release is known, and none can be left out.
    return any(name in ranges and (not release or within(release, ranges[name])) for name in names)
