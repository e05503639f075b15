"""vLLM's executor with its processes and queues, and workers that hold no model.

To be imported by its path, in the module that ``import_first`` names: it loads vLLM. Variables to
set for it: ``VLLM_HOST_IP=127.0.0.1`` and ``VLLM_CPU_OMP_THREADS_BIND=nobind``.
"""

from __future__ import annotations

import setproctitle  # isort: skip  (it looks for its place before anything sets a variable)

import multiprocessing
import os
import shlex
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fixbook.recipe.helpers.vllm_workers import configured, know_llama, write_model

setproctitle.getproctitle()
know_llama()

import vllm.distributed.device_communicators.shm_broadcast as queue  # noqa: E402
import vllm.v1.executor.multiproc_executor as executors  # noqa: E402
from vllm import envs  # noqa: E402
from vllm.config import set_current_vllm_config  # noqa: E402
from vllm.distributed import (  # noqa: E402
    init_distributed_environment,
    initialize_model_parallel,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Workers are forked from a process that has vLLM loaded; a server starts them anew.
executors.get_mp_context = lambda: multiprocessing.get_context("fork")


class WithoutModel:
    """Takes the place of the worker that holds a part of the model on a card."""

    def __init__(self, vllm_config: Any, rank: int, distributed_init_method: str, **_: Any) -> None:
        self.config, self.rank, self.store = vllm_config, rank, distributed_init_method

    def init_device(self) -> None:
        """Join the group of workers by gloo, as one on a GPU does by NCCL."""
        ranks = self.config.parallel_config.tensor_parallel_size
        with set_current_vllm_config(self.config):
            init_distributed_environment(ranks, self.rank, self.store, self.rank, "gloo")
            initialize_model_parallel(tensor_model_parallel_size=ranks)

    def load_model(self, **_: Any) -> None:
        """Load nothing."""

    def execute_model(self, step: Callable[[int], object]) -> object:
        """Do what the step is, which is told the rank; a module has to hold it by its name."""
        return step(self.rank)

    def shutdown(self) -> None:
        """Give back nothing."""


def asked_for(command: str) -> Any:
    """Set the variables that stand before ``vllm serve``, and return the configuration.

    Args:
        command: The line, as a shell would take it.
    """
    words = shlex.split(command, comments=True)
    start = words.index("vllm")
    os.environ |= dict(word.split("=", 1) for word in words[:start])
    write_model()
    return configured(shlex.join(words[start:]))


@contextmanager
def started(config: Any) -> Iterator[Any]:
    """Start the workers of a configuration; yield vLLM's executor, and end them afterwards.

    Args:
        config: What `asked_for` returned, for one node and tensor parallelism.
    """
    config.parallel_config.worker_cls = f"{__name__}.{WithoutModel.__name__}"
    # As if it had been set before the start: the queue reads it when it is imported.
    queue.VLLM_RINGBUFFER_WARNING_INTERVAL = envs.VLLM_RINGBUFFER_WARNING_INTERVAL
    executor = executors.MultiprocExecutor(config)
    try:
        yield executor
    finally:
        executor.shutdown()
