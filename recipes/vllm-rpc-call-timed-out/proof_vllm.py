"""vLLM, imported before the steps, and what its two workers take their time with."""

from __future__ import annotations

import logging
import time
from functools import partial
from typing import TYPE_CHECKING

from fixbook.recipe.helpers import vllm_executor  # noqa: F401  # isort: skip  (it loads vLLM)

import torch
from vllm.distributed import tensor_model_parallel_all_reduce
from vllm.distributed.device_communicators import shm_broadcast

if TYPE_CHECKING:
    from collections.abc import Callable


def compute(rank: int, late: str, seconds: float) -> int:
    """Do a step of the model: the workers add up, and ``both`` come late to it, or ``one``."""
    if late == "both":
        compile_kernels(seconds)
    elif rank == 1:
        read_image(seconds)
    return int(tensor_model_parallel_all_reduce(torch.ones(1)).item())


def step(late: str, seconds: float) -> Callable[[int], int]:
    """Return a step of the model, as the executor can send it."""
    return partial(compute, late=late, seconds=seconds)


def compile_kernels(seconds: float) -> None:
    """Take as long as a compilation does, on every worker."""
    time.sleep(seconds)


def read_image(seconds: float) -> None:
    """Take as long on one worker alone."""
    time.sleep(seconds)


class Lines(logging.Handler):
    """Counts the lines that tell of waiting, and calls something at the first."""

    def __init__(self, at_first: Callable[[], object]) -> None:
        super().__init__()
        self.count, self.at_first = 0, at_first
        shm_broadcast.logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Count one."""
        self.count += "broadcast block" in record.getMessage()
        if self.count == 1:
            self.at_first()
