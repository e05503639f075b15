"""A step measures the world, not a file that we wrote: its logs prove nothing to itself."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.recipe.reading import parse
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading

_OURS = ("logs/", "logs", "entry.yaml", "evidence/", "evidence", "queries.yaml", "words.yaml")


def steps_read_no_logs(reading: Reading) -> Iterator[Problem]:
    """Check that no code of a recipe names the entry's own logs, text or evidence."""
    for item in reading.entries:
        for path in sorted(item.folder.glob("*.py")):
            try:
                tree = parse(path.read_text("utf-8"))
            except SyntaxError:
                continue  # reported where the recipe is read
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and _is_ours(node.value):
                    what = _("reads {name!r}: a step whose outcome we wrote is no step")
                    what = what.format(name=node.value)
                    mend = _("measure the library or the process; snippets come from snippet(...)")
                    yield Problem(f"{path}:{node.lineno}", what, mend)


def _is_ours(value: object) -> bool:
    return isinstance(value, str) and (value in _OURS or value.startswith(("logs/", "evidence/")))
