"""`vllm serve` as far as its workers and the queues to them, in a /dev/shm of a given size."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from proof_vllm import answer_much
from vllm import envs

from fixbook.recipe import measure
from fixbook.recipe.helpers.vllm_executor import started
from fixbook.recipe.helpers.vllm_workers import configured, write_model

MIB = 2**20


def serve(command: str, *, answers: int = 0) -> dict[str, float]:
    """Start the workers of this command line, and ask them for large answers.

    Args:
        command: The line, with its variables before it, as a shell would take it.
        answers: How often they are asked.

    Returns:
        How many workers have ``started``, and how many MiB of /dev/shm are ``mapped``.
    """
    words = shlex.split(command, comments=True)
    start = words.index("vllm")
    os.environ |= dict(word.split("=", 1) for word in words[:start])
    measure(place=envs.VLLM_MQ_MAX_CHUNK_BYTES_MB)
    write_model()
    with started(configured(shlex.join(words[start:]))) as executor:
        files = Path("/dev/shm").iterdir()  # noqa: S108  (what vLLM uses)
        measure(mapped=sum(file.stat().st_size for file in files) / MIB)
        for _ in range(answers):
            executor.collective_rpc("execute_model", args=(answer_much,), timeout=60)
        return {"started": executor.world_size}
