"""Rules: those of the tools, and those that belong to an entry."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from fixbook.book_root import book_root
from fixbook.config.tables import newest, version_key

_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RULES = Path(__file__).parent / "rules"
# What the copy for the browser carries in place of YAML, which is slow to read there.
_COMPILED = _RULES / "compiled.json"
_SECTION = re.compile(r"(?ms)^config_rules:.*?(?=^[^\s-]|\Z)")
_CLAUSE = re.compile(r"\s*(==|!=|<=|>=|<|>)\s*([\w.]+)\s*")


@dataclass(frozen=True, slots=True)
class Rule:
    """A combination that is known to fail, or to do nothing.

    Attributes:
        id: Its name.
        tools: Ranges of versions by tool, or by tool and schema (``trl/GRPOConfig``); empty for
            every version.
        severity: ``error`` (fails), ``warning`` (does something else), ``note`` (deprecated).
        when: The condition, see `fixbook.config.predicate`.
        at: The key it is reported at.
        message: What was found, in both languages.
        why: What happens then, in both languages.
        fix: Operations that mend it, in order; empty if a person has to decide.
        beside: Another tool whose configuration the condition needs.
        entry: The entry it belongs to.
        renames: Old names and new ones, instead of a condition.
        proof: How the suite shows that the combination fails.
    """

    id: str
    tools: dict[str, str]
    severity: str
    when: dict[str, Any]
    at: str
    message: dict[str, str]
    why: dict[str, str]
    fix: list[dict[str, Any]] = field(default_factory=list)
    beside: str = ""
    entry: str | None = None
    renames: dict[str, str] = field(default_factory=dict)
    proof: dict[str, Any] = field(default_factory=dict)

    def applies_to(self, tool: str, schema: str, version: str | None) -> bool:
        """Tell whether the rule is about a version of a tool."""
        clauses = self.tools.get(tool, self.tools.get(f"{tool}/{schema}"))
        return clauses is not None and within(version or newest(tool), clauses)


def within(version: str, clauses: str) -> bool:
    """Tell whether a version meets every clause of a range such as ``>=0.12,<0.19``."""
    key = version_key(version)
    for clause in filter(None, clauses.split(",")):
        found = _CLAUSE.fullmatch(clause)
        if not found:
            raise ValueError(f"{clause!r} is not a version clause")
        other = version_key(found[2])
        width = max(len(key), len(other))
        left, right = (item + (0,) * (width - len(item)) for item in (key, other))
        answers = {"==": left == right, "!=": left != right, "<": left < right}
        answers |= {"<=": left <= right, ">": left > right, ">=": left >= right}
        if not answers[found[1]]:
            return False
    return True


@cache
def rules(root: Path | None = None, tool: str = "") -> tuple[Rule, ...]:
    """Return the rules, sorted by id.

    Args:
        root: The book that the entries' rules are read from.
        tool: Leaves out files that do not name this tool, as reading them takes time.
    """
    return tuple(Rule(**{"when": {}, "fix": [], "at": "", **row}) for row in rows(root, tool))


def rows(root: Path | None = None, tool: str = "") -> list[dict[str, Any]]:
    """Return the rules as plain data, sorted by id; see `rules`."""
    if _COMPILED.is_file():
        compiled: list[dict[str, Any]] = json.loads(_COMPILED.read_bytes())
        return compiled
    texts = [path.read_bytes() for path in _RULES.glob("*.yaml")]
    found = [row for text in texts if tool.encode() in text for row in _load(text)]
    for path in sorted((root or book_root()).glob("recipes/*/entry.yaml")):
        text = path.read_text("utf-8")
        # The rest of an entry is long and not needed here.
        section = _SECTION.search(text)
        if section and tool in section[0]:
            own = _load(section[0].encode())["config_rules"]
            found += [{"entry": path.parent.name, **row} for row in own]
    return sorted(found, key=lambda row: str(row["id"]))


def _load(text: bytes) -> Any:
    return yaml.load(text, Loader=_Loader)  # noqa: S506  (a safe loader)
