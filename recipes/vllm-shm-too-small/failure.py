"""`vllm serve` as far as its workers and the queues to them, in a /dev/shm of a given size."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from proof_vllm import LARGE, MIB, answer
from vllm import envs

from fixbook.recipe import measure
from fixbook.recipe.helpers.vllm_executor import asked_for, started


def serve(command: str, *, answers: int = 0) -> dict[str, float]:
    """Start the workers of this command line, and ask them for large answers.

    Args:
        command: The line, with its variables before it, as a shell would take it.
        answers: How often they are asked.

    Returns:
        How many workers have ``started``, and how many MiB of /dev/shm are ``mapped``.
    """
    config = asked_for(command)
    measure(place=envs.VLLM_MQ_MAX_CHUNK_BYTES_MB)
    with started(config) as executor:
        files = Path("/dev/shm").iterdir()  # noqa: S108  (what vLLM uses)
        measure(mapped=sum(file.stat().st_size for file in files) / MIB)
        # Short ones first: by then the engine's own queue has all the room that it takes.
        for size in [1] * answers + [LARGE] * answers:
            step = partial(answer, size=size)
            executor.collective_rpc("execute_model", args=(step,), timeout=60)
        return {"started": executor.world_size}
