"""vLLM, imported before the steps, and workers that have the memory of a card and no card."""

from vllm.v1.executor import Executor

from fixbook.recipe.helpers.vllm_workers import CardsOnPaper, know_llama

know_llama()


class Workers(CardsOnPaper, Executor):  # type: ignore[misc]
    """A card of 24 GiB; a step sets the weights."""

    weights = 15.0
    for_a_token = 0.0  # GiB of a forward that each token of a step takes

    @property
    def working(self) -> float:
        """What a forward at the limits of the configuration takes, in GiB."""
        tokens: int = self.scheduler_config.max_num_batched_tokens
        return 1.5 + self.for_a_token * tokens
