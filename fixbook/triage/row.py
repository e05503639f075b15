"""A row of the answer, one start of one job: the schema that the documentation describes."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pyarrow as pa

SCHEMA_VERSION = 1
# Outcomes, from what is known to what could not be read.
ENTRY, MESSAGE, UNKNOWN, UNSURE, QUIET, UNREADABLE, REFUSED = (
    *("entry", "message", "unknown", "unsure", "quiet", "unreadable", "refused"),
)
_TIME = pa.timestamp("ms", tz="UTC")
_TEXT = pa.string()
SCHEMA = pa.schema(
    [
        pa.field("job", _TEXT, nullable=False),
        pa.field("attempt", pa.int32(), nullable=False),
        pa.field("outcome", _TEXT, nullable=False),
        pa.field("entry", _TEXT),  # slug
        pa.field("message", _TEXT),  # id of a message that several entries share
        pa.field("signature", _TEXT),
        pa.field("node", _TEXT),  # where the line that decided was printed, if that is known
        pa.field("nodes", pa.list_(_TEXT), nullable=False),  # all that the job ran on
        pa.field("rank", pa.int32()),
        pa.field("source", _TEXT),  # name of the log that decided
        pa.field("line_number", pa.int64()),
        pa.field("line", _TEXT),  # redacted; null with --no-text
        pa.field("kind", _TEXT),  # class of the exception
        pa.field("shape", _TEXT),  # of an exception the book does not know; a digest with --no-text
        pa.field("excerpt", _TEXT),  # of the same, redacted; null with --no-text
        pa.field("versions", pa.map_(_TEXT, _TEXT), nullable=False),
        pa.field("start", _TIME),
        pa.field("end", _TIME),
        pa.field("times", _TEXT),  # where they are from: scheduler, log, file
        pa.field("state", _TEXT),  # the scheduler's word
        pa.field("gpus", pa.int32()),
        pa.field("gpu_hours", pa.float64()),
        pa.field("restarts", pa.int32(), nullable=False),
        pa.field("logs", pa.int32(), nullable=False),
        pa.field("size", pa.int64(), nullable=False),  # bytes on disk
        pa.field("lines", pa.int64(), nullable=False),
        pa.field("problem", _TEXT),  # what could not be read, or breaks off
    ],
    metadata={"fixbook.triage": str(SCHEMA_VERSION)},
)


def moment(seconds: float | None) -> dt.datetime | None:
    """Return a time of the data; None for one that no calendar has."""
    if seconds is None:
        return None
    try:
        return dt.datetime.fromtimestamp(seconds, dt.UTC)
    except (OverflowError, OSError, ValueError):
        return None


def shown(name: str) -> str:
    """Return a file's name as text; bytes that are no UTF-8 are written out."""
    return name.encode(errors="surrogateescape").decode(errors="backslashreplace")


def table_of(rows: list[dict[str, Any]]) -> pa.Table:
    """Return rows as a table of this schema."""
    return pa.Table.from_pylist(rows, schema=SCHEMA)
