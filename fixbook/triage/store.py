"""Partitions on disk: one file of Parquet each, there whole or not at all."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from fixbook.files import write_atomically
from fixbook.problem import BookError, Problem
from fixbook.text import _
from fixbook.triage.row import table_of

if TYPE_CHECKING:
    from pathlib import Path

PARTS = "parts"


def part(folder: Path, name: str) -> Path:
    """Return where a partition lies."""
    return folder / PARTS / f"{name}.parquet"


def is_done(folder: Path, name: str) -> bool:
    """Tell whether a partition was finished before."""
    try:
        pq.read_metadata(part(folder, name))
    except (OSError, ValueError):  # pyarrow's own error of a broken file is a ValueError
        return False
    return True


def write(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    """Write a partition.

    Raises:
        BookError: There is no room, or no permission.
    """
    packed = io.BytesIO()
    pq.write_table(table_of(rows), packed, compression="zstd")
    path = part(folder, name)
    try:
        write_atomically(path, packed.getvalue())
    except OSError as error:
        what = _("cannot be written: {reason}").format(reason=error.strerror)
        mend = _("make room, or name another folder with --out; finished partitions are kept")
        raise BookError([Problem(str(path), what, mend)]) from None


def remove_others(folder: Path, names: set[str]) -> None:
    """Remove partitions of logs that have changed, or are gone."""
    for path in (folder / PARTS).glob("*.parquet"):
        if path.stem not in names:
            path.unlink(missing_ok=True)
