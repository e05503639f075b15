"""A loader whose workers run ahead; the batches they have made lie in /dev/shm until used."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.utils.data import DataLoader

if TYPE_CHECKING:
    from pathlib import Path

SHM = "/dev/shm"  # noqa: S108 (where PyTorch puts them)
BATCHES = 5


class Images(torch.utils.data.Dataset[torch.Tensor]):
    """Images of 3 x 224 x 224 in fp32; a file of them is read through a mapping."""

    def __init__(self, pause_s: float = 0.0, file: Path | None = None) -> None:
        self.pause_s = pause_s
        self.images = None if file is None else np.memmap(file, dtype=np.float32, mode="r")

    def __len__(self) -> int:
        return BATCHES * 32

    def __getitem__(self, index: int) -> torch.Tensor:
        time.sleep(self.pause_s)
        if self.images is not None:
            return torch.tensor(self.images[index : index + 1])
        return torch.ones(3, 224, 224)


def images(dataset: Images | None = None, **options: Any) -> Any:
    """Return a loader with two workers, each of which works up to two batches ahead."""
    return DataLoader(dataset or Images(), **{"batch_size": 32, "num_workers": 2} | options)


def train(loader: Any, pause_s: float = 1.0) -> dict[str, Any]:
    """Go through a loader; after the first batch something else is done, such as saving."""
    batches = peak = 0
    for batch in loader:
        if not batches:
            time.sleep(pause_s)
        seen = os.statvfs(SHM)
        batches += int(bool((batch == 1).all()))
        peak = max(peak, (seen.f_blocks - seen.f_bfree) * seen.f_frsize)
    return {"batches": batches, "peak": peak}


if __name__ == "__main__":
    train(images())
