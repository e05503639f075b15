"""What watching jobs has shown, row by row: docs/watch_runs.json, of which the pages speak.

``python -m bench.watch_runs --merge FILE...`` puts the rows of its shards there. The last row of a
job counts; a job that no row is of is named, and the merge fails.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.watched_healthy import HEALTHY
from bench.watched_jobs import BROKEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PATIENCE_S = 6  # of silence, which stand for 120
RECORD = Path(__file__).parent.parent / "docs/watch_runs.json"
_LEFT_OUT = {"said", "memory"}
_VERSIONS = ("torch", "transformers", "trl", "peft", "accelerate", "deepspeed", "axolotl")
_JOBS = {"healthy": HEALTHY, "broken": BROKEN}


def merge(files: Iterable[Path]) -> str | None:
    """Put the rows of some files into the record, in the order of the jobs.

    Args:
        files: What ``--json`` has written.

    Returns:
        What is lacking; None if every job has a row.
    """
    record: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
    fresh = [row for file in files for row in json.loads(file.read_text("utf-8"))]
    lacking = []
    for kind, jobs in _JOBS.items():
        rows = {row["name"]: row for row in (*record.get(kind, ()), *map(_short, fresh))}
        record[kind] = [rows[job.name] for job in jobs if job.name in rows]
        lacking += [job.name for job in jobs if job.name not in rows]
        print(f"{kind}: {counted(record[kind])}")
    record["patience_s"] = PATIENCE_S
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return f"no row of: {', '.join(lacking)}" if lacking else None


def _short(row: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in row.items() if name not in _LEFT_OUT}
    every = row.get("versions", {})
    return kept | {"versions": {name: every[name] for name in _VERSIONS if name in every}}


def counted(rows: Sequence[dict[str, Any]]) -> str:
    """Return what some rows show, in a line."""
    if any("alarms" in row for row in rows):
        alarmed = [row["name"] for row in rows if row["alarms"] or row["code"]]
        return f"{len(rows)} healthy runs, alarms or failures in {len(alarmed)}: {alarmed}"
    ranks = [row for row in rows if row["rank"] is not None]
    return (
        f"{len(rows)} broken jobs: cause {sum(row['cause'] for row in rows)}, "
        f"undecided {sum(row['undecided'] and not row['cause'] for row in rows)}, "
        f"rank {sum(row['rank'] for row in ranks)} of {len(ranks)}, "
        f"wrong {sum(bool(row['wrong']) for row in rows)}"
    )
