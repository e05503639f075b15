"""Rules as the compiled index has them: read without the models, on every check."""

from __future__ import annotations

from typing import Any, TypedDict


class RuleRow(TypedDict):
    """A rule as plain data: the fields of `fixbook.book.rule.Rule`; `entry` is where it stands."""

    id: str
    tools: dict[str, str]
    severity: str
    at: str
    when: dict[str, Any]
    renames: dict[str, str]
    message: dict[str, str]
    why: dict[str, str]
    fix: list[dict[str, Any]]
    applies: str
    mend: dict[str, str] | None
    beside: str
    proof: dict[str, Any]
    entry: str | None
