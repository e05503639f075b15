"""The engine of `vllm serve` asks its workers on two cards for one step of the model."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from proof_vllm import Lines, step
from vllm import envs

from fixbook.recipe import measure
from fixbook.recipe.helpers.vllm_executor import asked_for, started

if TYPE_CHECKING:
    from collections.abc import Callable


def serve(
    command: str, late: str, seconds: float, at_first_line: Callable[[], object] = lambda: None
) -> dict[str, int]:
    """Start the workers of this command line and ask them once.

    Args:
        command: The line, with its variables before it, as a shell would take it.
        late: Who takes so long over the step: ``both`` workers, or ``one``.
        seconds: How long.
        at_first_line: Called when vLLM first says that it waits.

    Returns:
        How many workers have ``answered``.
    """
    config = asked_for(command)
    room = shutil.disk_usage("/dev/shm").total / 2**20  # noqa: S108  (what vLLM uses)
    measure(limit=envs.VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS, room=room)
    lines = Lines(at_first_line)
    try:
        with started(config) as executor:
            return {"answered": executor.execute_model(step(late, seconds))}
    finally:
        measure(lines=lines.count)
