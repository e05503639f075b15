"""vLLM, imported before the steps, and workers that have the memory of a card and no card."""

from vllm.v1.executor import Executor

from fixbook.recipe.helpers.vllm_workers import CardsOnPaper, know_llama

know_llama()


class Workers(CardsOnPaper, Executor):  # type: ignore[misc]
    """A card of 24 GiB, and the weights of 8 billion parameters in 16 bits."""

    weights = 15.0
