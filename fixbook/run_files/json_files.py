"""Rows of values in JSON: a trainer's state, and files of one object a line."""

from __future__ import annotations

import json
from itertools import count, takewhile
from typing import TYPE_CHECKING, Any

from fixbook.run_files.rows import Row, number_of, row_of
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_BYTES = 128 * 1024 * 1024
MOST_LINE = 64 * 1024
MOST_LINES = 5_000_000
_OPENING = 64 * 1024
# A row of training says where it is: lines of a data set, or of predictions, do not.
_PLACES = {"epoch", "learning_rate", "grad_norm"}


def state_rows(path: Path, notes: list[str]) -> list[Row]:
    """Return the rows of a ``trainer_state.json``; it may hold the bare word NaN.

    Args:
        path: The file.
        notes: Receives a line if it cannot be read.
    """
    state = json_of(path, notes)
    history = state.get("log_history") if isinstance(state, dict) else None
    logged = history if isinstance(history, list) else ()
    rows = (row_of(one.items()) for one in logged if isinstance(one, dict))
    return [row for row in rows if row is not None]


def json_of(path: Path, notes: list[str]) -> Any:
    """Return what a JSON file holds; None, and a note, where that cannot be read.

    Args:
        path: The file.
        notes: Receives why not.
    """
    try:
        with path.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        if len(data) <= MOST_BYTES:
            return json.loads(data)
        reason = _("it is larger than {size} MiB").format(size=MOST_BYTES // 1024**2)
    except OSError as error:
        reason = error.strerror or str(error)
    except RecursionError:
        reason = _("its lists are nested too deeply")
    except ValueError as error:  # torn, another encoding, a number of thousands of digits
        reason = str(error)[:120]
    notes.append(_("{name}: not read: {reason}").format(name=path, reason=reason))
    return None


def line_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a file of one JSON object a line; lines that are none are passed over.

    Args:
        path: The file.
    """
    with path.open("rb") as opened:
        lines = iter(lambda: opened.readline(MOST_LINE), b"")
        numbered = zip(takewhile(MOST_LINES.__ge__, count(1)), lines, strict=False)
        for number, line in numbered:
            row = _row(line, number)
            if row is not None:
                yield row


def holds_rows(path: Path) -> bool:
    """Tell whether such a file is one of training: its opening has a row."""
    try:
        with path.open("rb") as opened:
            opening = opened.read(_OPENING)
    except OSError:
        return False
    return any(_row(line, 1) is not None for line in opening.splitlines())


def _row(line: bytes, number: int) -> Row | None:
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    row = row_of(data.items(), number) if isinstance(data, dict) else None
    return row if row is not None and of_training(row) else None


def of_training(row: Row) -> bool:
    """Tell whether a row is of a training step or an evaluation, and not of anything else."""
    names = row.values.keys()
    if any(name.startswith("eval_") for name in names):
        return True
    return "loss" in names and (row.step is not None or not _PLACES.isdisjoint(names))


def watched_memory(path: Path) -> tuple[list[tuple[float, float]], float | None]:
    """Return the memory that `fixbook watch` saw a run use, and what it might have used.

    Args:
        path: Its record of the run.
    """
    seen = json_of(path, [])
    held = seen.get("memory") if isinstance(seen, dict) else None
    rows = held.get("samples") if isinstance(held, dict) else None
    samples: list[tuple[float, float]] = []
    for row in rows if isinstance(rows, list) else ():
        if not (isinstance(row, list) and len(row) == 2):  # noqa: PLR2004
            return [], None
        at, mib = number_of(row[0]), number_of(row[1])
        if at is None or mib is None or (samples and at < samples[-1][0]):
            return [], None
        samples.append((at, mib))
    return samples, number_of(held.get("limit_mib")) if isinstance(held, dict) else None
