"""Train with a worker that is spawned: the child imports the script that called this."""

import multiprocessing
from typing import Any

from torch.utils.data import DataLoader

ROWS = 4


def train(method: str = "spawn") -> None:
    """Read all rows through one worker."""
    rows: Any = list(range(ROWS))
    loader: Any = DataLoader(rows, batch_size=2, num_workers=1, multiprocessing_context=method)
    print("rows:", sum(len(batch) for batch in loader), flush=True)


def start_alone() -> None:
    """Start a process of one's own, and go on whatever became of it."""
    child = multiprocessing.get_context("spawn").Process(target=print, args=("from the child",))
    child.start()
    child.join()
    print("the parent goes on", flush=True)
