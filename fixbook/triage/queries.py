"""What the report asks of the rows, by DuckDB: memory stays bounded, whatever their number.

The same rows have the same answer, in whatever order their files were written and are read: of
several that would do, it is the first by name, and hours are added as exact numbers.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import duckdb

from fixbook.triage.nodes import Node, against_chance
from fixbook.triage.scheduler import FAILED
from fixbook.triage.store import PARTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MEMORY = "512MB"
_STATES = ", ".join(f"'{state}'" for state in sorted(FAILED))
_VIEW = """
CREATE VIEW runs AS SELECT *,
  outcome IN ('entry', 'message') OR coalesce(state IN ({states}), false)
    OR outcome = 'unknown' AND coalesce(state, '') <> 'COMPLETED' AS failed,
  coalesce(entry, message, CASE WHEN outcome = 'unknown' THEN coalesce(kind, '?') END,
           CASE WHEN state IN ({states}) THEN state END) AS what,
  coalesce("end", start) AS moment, try_cast(gpu_hours AS DECIMAL(24, 6)) AS hours_exact
FROM read_parquet({files})
"""
TOTALS = """
SELECT count(*) AS runs, count(DISTINCT job) AS jobs, sum(logs) AS logs, sum(size) AS size,
  count(*) FILTER (failed) AS failed, sum(hours_exact) FILTER (failed)::DOUBLE AS lost,
  sum(hours_exact)::DOUBLE AS hours, count(*) FILTER (outcome = 'unknown' AND failed) AS unknown,
  count(*) FILTER (outcome = 'unsure') AS unsure,
  count(*) FILTER (outcome IN ('unreadable', 'refused')) AS unread,
  min(moment) AS first, max(moment) AS last
FROM runs
"""
KINDS = """
SELECT what, min(outcome) AS outcome, count(*) AS runs, count(DISTINCT job) AS jobs,
  sum(hours_exact)::DOUBLE AS lost, min(moment) AS first, max(moment) AS last,
  len(list_distinct(flatten(list(nodes)))) AS nodes
FROM runs WHERE failed GROUP BY what ORDER BY runs DESC, what LIMIT 60
"""
WEEKS = """
SELECT date_trunc('week', moment)::DATE AS week, count(*) AS runs,
  count(*) FILTER (failed) AS failed, sum(hours_exact) FILTER (failed)::DOUBLE AS lost
FROM runs WHERE moment IS NOT NULL GROUP BY week ORDER BY week DESC LIMIT 60
"""
NEW = """
WITH last AS (SELECT max(moment) AS moment FROM runs)
SELECT what, min(outcome) AS outcome, count(*) AS runs, min(runs.moment) AS first
FROM runs, last WHERE failed GROUP BY what, last.moment
HAVING min(runs.moment) > last.moment - INTERVAL 7 DAY ORDER BY runs DESC, what LIMIT 40
"""
RESTARTS = """
SELECT job, min(what) AS what, min(outcome) AS outcome,
  count(*) + max(restarts) AS starts, sum(hours_exact)::DOUBLE AS lost
FROM runs GROUP BY job
HAVING count(*) + max(restarts) > 1 AND bool_and(failed) AND count(DISTINCT what) = 1
ORDER BY lost DESC NULLS LAST, starts DESC, job LIMIT 40
"""
RELEASES = """
WITH pairs AS (SELECT what, unnest(map_entries(versions)) AS pair FROM runs WHERE failed),
counted AS (SELECT pair.key AS package, pair.value AS release, what, count(*) AS number
  FROM pairs GROUP BY package, release, what)
SELECT package, release, sum(number)::BIGINT AS runs, count(what) AS kinds,
  first(what ORDER BY number DESC, what) AS what
FROM counted GROUP BY package, release ORDER BY package, runs DESC, release LIMIT 80
"""
NODES = """
SELECT node, count(*) AS runs, count(*) FILTER (failed) AS failed
FROM (SELECT unnest(nodes) AS node, failed FROM runs WHERE outcome <> 'refused')
GROUP BY node ORDER BY node
"""
ON_NODE = """
SELECT what FROM runs WHERE failed AND list_contains(nodes, ?)
GROUP BY what ORDER BY count(*) DESC, what LIMIT 1
"""
PLACED = """
SELECT count(*) FILTER (failed) AS failed, count(*) AS runs FROM runs
WHERE len(nodes) > 0 AND outcome <> 'refused'
"""
PROBLEMS = """
SELECT problem, count(*) AS runs, min(job) AS job FROM runs
WHERE problem IS NOT NULL GROUP BY problem ORDER BY runs DESC, problem LIMIT 40
"""
SHAPES = """
SELECT shape, count(*) AS runs, min(moment) AS first, max(moment) AS last,
  list_sort(list_distinct(flatten(list(nodes))))[:20] AS nodes, min(job) AS job,
  min(struct_pack(job := job, attempt := attempt, line := line, excerpt := excerpt)) AS sample
FROM runs WHERE failed AND shape IS NOT NULL
GROUP BY shape ORDER BY runs DESC, shape LIMIT ?
"""


class Rows:
    """The rows of a triage, ready to be asked."""

    def __init__(self, base: duckdb.DuckDBPyConnection) -> None:
        self._base = base

    def ask(self, query: str, *values: Any) -> list[dict[str, Any]]:
        """Return what a query finds, one mapping a row."""
        found = self._base.execute(query, list(values))
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def nodes(self) -> list[Node]:
        """Return every node with how its failures stand against chance."""
        listed = [Node(row["node"], row["runs"], row["failed"]) for row in self.ask(NODES)]
        placed = self.ask(PLACED)[0]
        return against_chance(listed, placed["failed"], placed["runs"])


@contextmanager
def rows_of(out: Path) -> Iterator[Rows]:
    """Open the rows of a triage.

    Args:
        out: The folder of its answer.
    """
    settings = {"memory_limit": MEMORY, "threads": 2, "autoinstall_known_extensions": False}
    with duckdb.connect(config=settings) as base:
        base.execute("SET TimeZone = 'UTC'")
        base.execute(_VIEW.format(files=_quoted(out / PARTS / "*.parquet"), states=_STATES))
        yield Rows(base)


def _quoted(path: Path) -> str:
    text = str(path).replace("'", "''")
    return f"'{text}'"
