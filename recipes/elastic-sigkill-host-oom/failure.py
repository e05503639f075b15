"""Ranks that each load a whole checkpoint, and workers that read a list of Python objects."""

from __future__ import annotations

import os
import runpy
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROWS = 600_000
SIDE = int(os.environ.get("SIDE", "4096"))  # of the one weight of the model


def held() -> int:
    """Return the bytes that only this process has, and that cannot be read again from a file."""
    lines = Path("/proc/self/smaps_rollup").read_text("ascii").splitlines()
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Private_Dirty:"))


def build() -> Any:
    """Return a model that has not been loaded."""
    return torch.nn.Linear(SIDE, SIDE, bias=False)


def copied(path: str) -> Any:
    """Load as most scripts do."""
    model = build()
    model.load_state_dict(torch.load(path))
    return model


def load(path: str, watch: Callable[[], int], how: Callable[[str], Any] = copied) -> Any:
    """Load a checkpoint in each rank."""
    dist.init_process_group("gloo")
    model = how(path)
    taken = watch()
    dist.barrier()
    return {"total": int(model.weight.sum()), "taken": taken}


class Rows(Dataset[tuple[int, int]]):
    """Items of a thousand rows each; an item is the length of its texts."""

    def __init__(self, rows: Sequence[str], watch: Callable[[], int]) -> None:
        self.rows, self.watch = rows, watch

    def __len__(self) -> int:
        return len(self.rows) // 1000

    def __getitem__(self, index: int) -> tuple[int, int]:
        texts = self.rows[index * 1000 : (index + 1) * 1000]
        return sum(len(text) for text in texts), self.watch()


def loader(rows: Sequence[str], watch: Callable[[], int], batch_size: int) -> Any:
    """Return a loader of all rows with two workers."""
    data = Rows(rows, watch)
    return DataLoader(data, batch_size=batch_size, num_workers=2, collate_fn=columns)


def columns(items: list[tuple[int, int]]) -> tuple[Any, ...]:
    """Keep plain numbers: a tensor is fetched from its worker, which may be dead by then."""
    return tuple(zip(*items, strict=True))


def read(batches: Any) -> dict[str, int]:
    """Read all rows; return their length, and the most that a worker took for itself."""
    total = taken = 0
    for lengths, grown in batches:
        total, taken = total + sum(lengths), max(taken, *grown)
    return {"total": total, "taken": taken}


if __name__ == "__main__":
    if sys.argv[2] == "by hand" and os.environ["RANK"] == "1":
        os.kill(os.getpid(), signal.SIGKILL)
    how = runpy.run_path(sys.argv[3])["mapped"] if sys.argv[2] == "mapped" else copied
    load(sys.argv[1], held, how)
