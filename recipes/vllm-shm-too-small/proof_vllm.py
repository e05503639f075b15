"""vLLM, imported before the steps, and a step of the model that answers with a lot."""

from __future__ import annotations

from fixbook.recipe.helpers import vllm_executor  # noqa: F401  (it loads vLLM)

MIB = 2**20
LARGE = 20 * MIB  # log probabilities of long prompts, or hidden states; a place takes 24 MiB
MANY = 12  # more than a queue has places


def answer(rank: int, size: int) -> bytes:  # noqa: ARG001  (every worker does)
    """Return so many bytes."""
    return bytes(size)
