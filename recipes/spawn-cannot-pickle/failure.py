"""A DataLoader that spawns its workers, and hands them what cannot be pickled."""

import os
from pathlib import Path
from typing import Any

from torch.utils.data import DataLoader, Dataset

PATH, WIDTH, ROWS = "rows.bin", 8, 4

first = lambda rows: rows[0]  # noqa: E731  # that it is one is the point


class OpenRows(Dataset[bytes]):
    """Rows of a file that is opened once, where the data set is made."""

    def __init__(self, path: str) -> None:
        """Open the file."""
        self.file = Path(path).open()  # noqa: SIM115  # it stays open

    def __len__(self) -> int:
        """Return how many there are."""
        return ROWS

    def __getitem__(self, index: int) -> bytes:
        """Read one."""
        self.file.seek(WIDTH * index)
        return self.file.read(WIDTH).encode()


class Rows(Dataset[bytes]):
    """Rows that name the process they were made in."""

    def __len__(self) -> int:
        """Return how many there are."""
        return ROWS

    def __getitem__(self, index: int) -> bytes:
        """Make one."""
        return str(os.getpid()).encode()


def local_collate(length: int) -> Any:
    """Return a function that is defined inside this one."""

    def collate(rows: Any) -> Any:
        return [row[:length] for row in rows]

    return collate


def loader(rows: Any, collate: Any, *, workers: int = 2, method: str = "spawn") -> Any:
    """Make the loader; without workers nothing is started."""
    context = method if workers else None
    more = {"num_workers": workers, "multiprocessing_context": context, "collate_fn": collate}
    return DataLoader(rows, batch_size=2, **more)
