"""A process that has used CUDA forks another, which uses it as well."""

from __future__ import annotations

import os
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset

LENGTH = {"longest": 2048}  # what the module says; a program may set it otherwise


def use_cuda() -> None:
    """Use CUDA; without a GPU, set what its build sets, and its handler of forks."""
    if torch.cuda.is_available():
        torch.ones(1, device="cuda")
        return
    cuda: Any = torch.cuda
    cuda._initialized = True
    os.register_at_fork(after_in_child=in_child)


def in_child() -> None:
    """Mark a child as the CUDA build does in every forked child once CUDA is in use."""
    cuda: Any = torch.cuda
    cuda._is_in_bad_fork = lambda: True


class Rows(Dataset[torch.Tensor]):
    """Four rows, moved to the GPU by the dataset, or not."""

    def __init__(self, *, on_gpu: bool) -> None:
        """Remember where the rows go."""
        self.on_gpu = on_gpu

    def __len__(self) -> int:
        """Return how many there are."""
        return 4

    def __getitem__(self, index: int) -> torch.Tensor:
        """Return one, with the length that this process knows of."""
        row = torch.tensor([index, LENGTH["longest"]])
        if not self.on_gpu:
            return row
        try:
            return row.to("cuda").cpu()
        except (AssertionError, RuntimeError) as error:
            if "forked" in str(error):
                raise
            return row  # no GPU: that is said behind the check for forks


def load(*, on_gpu: bool, context: str | None) -> list[list[int]]:
    """Read the rows in a worker that is started in this way, or in none."""
    workers = 1 if context else 0
    loader = DataLoader(Rows(on_gpu=on_gpu), num_workers=workers, multiprocessing_context=context)
    return [[int(value) for value in row[0]] for row in loader]
