"""What a step has written down while it ran, in any of its processes."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def read_measures(records: Path) -> dict[str, Any]:
    """Read what the ranks of a step recorded; rank 0 keeps its names, rank k gets a prefix."""
    measures: dict[str, Any] = {}
    for record in _lines(records):
        if "values" in record:
            prefix = f"rank{record['rank']}." if record["rank"] else ""
            measures |= {prefix + name: value for name, value in record["values"].items()}
    return measures


def used_snippets(records: Path) -> tuple[str, ...]:
    """Return the ids of the snippets that a step executed, in any of its ranks."""
    return tuple(sorted({record["snippet"] for record in _lines(records) if "snippet" in record}))


def skip_reason(records: Path) -> str | None:
    """Return why a step left itself out; None if it did not."""
    return next((record["skip"] for record in _lines(records) if "skip" in record), None)


def reached_cuda(records: Path) -> str | None:
    """Return the place of the first CUDA call that a rehearsed step came to; None if to none."""
    return next((record["reached"] for record in _lines(records) if "reached" in record), None)


def allocated_on_gpu(records: Path) -> bool:
    """Tell whether a process of the step has held memory of a GPU."""
    return any(record.get("allocated", 0) > 0 for record in _lines(records))


def shared_gpu(records: Path) -> int | None:
    """Return the number of a GPU that was the only one of two ranks; None if there is none."""
    held: dict[int, set[int]] = {}
    for record in _lines(records):
        if "gpus" in record:
            held.setdefault(record["rank"], set()).update(record["gpus"])
    alone = [min(gpus) for gpus in held.values() if len(gpus) == 1]
    return next((gpu for gpu in alone if alone.count(gpu) > 1), None)


def missing_values(records: Path) -> list[str]:
    """Return the operators of a GPU that stands in whose values nothing could compute."""
    return sorted({record["missing"] for record in _lines(records) if "missing" in record})


def _lines(records: Path) -> Iterator[dict[str, Any]]:
    if records.is_file():
        for line in records.read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(json.JSONDecodeError):  # the process died while writing it
                yield json.loads(line)
