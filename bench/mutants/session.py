"""A session of cosmic-ray: the mistakes that one module can get, and how the tests took them.

cosmic-ray keeps its sessions in SQLite (tables mutation_specs, work_items, work_results), with
which a run goes on where it was cut off. A session is of one text of a module: another text,
another file.
"""

from __future__ import annotations

import ast
import hashlib
import random
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FAMILY = re.compile(r"(core/Replace(?:Binary|Comparison|Unary)Operator)_.*")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One seeded mistake.

    Attributes:
        module: Path of the module.
        line: Where it is, from 1.
        before: The line as it stands.
        after: The line with the mistake; empty if it was taken out.
        killed: Whether a test failed, or none ended in time.
    """

    module: str
    line: int
    before: str
    after: str
    killed: bool

    @property
    def key(self) -> str:
        """Names the mistake whatever line it moves to."""
        text = f"{self.module}\n{self.before}\n{self.after}"
        return hashlib.sha256(text.encode()).hexdigest()[:8]


def session_path(folder: Path, root: Path, module: str) -> Path:
    """Return where the session of a module as it is now is kept."""
    text = hashlib.sha256((root / module).read_bytes()).hexdigest()[:8]
    return folder / f"{module.removesuffix('.py').replace('/', '.')}-{text}.sqlite"


def draw(session: Path, source: str, count: int, seed: int) -> int:
    """Keep some of the mistakes of a new session, by lot: at most one a place and kind.

    A mistake in an annotation changes nothing that runs, and is left out before.

    Args:
        session: What ``cosmic-ray init`` wrote.
        source: Text of the module.
        count: How many to keep.
        seed: Decides the lot.

    Returns:
        How many places and kinds there were.
    """
    with closing(sqlite3.connect(session)) as base, base:
        rows = base.execute(
            "SELECT job_id, operator_name, start_pos_row, start_pos_col FROM mutation_specs "
            "ORDER BY start_pos_row, start_pos_col, operator_name, occurrence, operator_args"
        ).fetchall()
        places: dict[tuple[str, int, int], list[str]] = {}
        idle = set(annotation_spans(source))
        for job, operator, row, column in rows:
            if not any(start <= (row, column) < end for start, end in idle):
                places.setdefault((_FAMILY.sub(r"\1", operator), row, column), []).append(job)
        chance = random.Random(f"{session.stem.rpartition('-')[0]} {seed}")  # noqa: S311  (a lot)
        drawn = chance.sample(sorted(places), min(count, len(places)))
        kept = {chance.choice(places[place]) for place in drawn}
        gone = [(job,) for job, *_ in rows if job not in kept]
        for table in ("mutation_specs", "work_results", "work_items"):
            base.executemany(f"DELETE FROM {table} WHERE job_id = ?", gone)  # noqa: S608
    return len(places)


def annotation_spans(source: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield where annotations begin and end, as pairs of line and column."""
    for node in ast.walk(ast.parse(source)):
        for name in ("annotation", "returns"):
            found = getattr(node, name, None)
            if isinstance(found, ast.expr):
                yield _span(found)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield _span(node)


def _span(node: ast.expr | ast.stmt) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def mutants(session: Path, module: str) -> list[Mutant]:
    """Return the mistakes of a session that the tests have been put to."""
    with closing(sqlite3.connect(session)) as base:
        rows = base.execute(
            "SELECT start_pos_row, test_outcome, diff FROM mutation_specs "
            "JOIN work_results USING (job_id) WHERE worker_outcome = 'NORMAL' "
            "ORDER BY start_pos_row, start_pos_col, operator_name"
        ).fetchall()
    return [
        Mutant(module, row, *_changed(diff or ""), killed=outcome != "SURVIVED")
        for row, outcome, diff in rows
    ]


def _changed(diff: str) -> tuple[str, str]:
    lines = diff.splitlines()
    before = [line[1:].strip() for line in lines if re.match(r"-(?!--)", line)]
    after = [line[1:].strip() for line in lines if re.match(r"\+(?!\+\+)", line)]
    return " ".join(before), " ".join(after)


def forget_survivors(session: Path) -> None:
    """Put the mistakes that no test caught to the tests again."""
    with closing(sqlite3.connect(session)) as base, base:
        base.execute("DELETE FROM work_results WHERE test_outcome = 'SURVIVED'")
