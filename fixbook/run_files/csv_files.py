"""Rows of values in CSV, as loggers of Lightning and loops of one's own write it."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from fixbook.run_files.json_files import MOST_LINE, MOST_LINES, of_training
from fixbook.run_files.rows import MOST_VALUES, Row, name_of, row_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TELLING = {"loss", "grad_norm", "learning_rate"}


def csv_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a table that holds values of a training; of any other nothing.

    Args:
        path: The file. One that breaks off is read as far as it goes.
    """
    with path.open(encoding="utf-8", errors="replace", newline="") as opened:
        lines = iter(lambda: opened.readline(MOST_LINE), "")
        try:
            table = csv.reader(lines)
            header = next(table, [])[:MOST_VALUES]
            if _TELLING.isdisjoint(map(name_of, header)):
                return
            for cells in table:
                row = row_of(zip(header, cells, strict=False), table.line_num)
                if row is not None and of_training(row):
                    yield row
                if table.line_num > MOST_LINES:
                    return
        except csv.Error:  # a cell of megabytes, or zeros: no table
            return
