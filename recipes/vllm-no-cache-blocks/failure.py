"""What `vllm serve` does until the KV cache is there, for a model of 8 billion parameters."""

from proof_vllm import Workers

from fixbook.recipe import measure
from fixbook.recipe.helpers.vllm_workers import cache_tokens, configured, write_model


def serve(command: str, weights: float, *, for_a_token: float = 0.0) -> dict[str, float]:
    """Start the engine of this command line; return what it holds.

    Args:
        command: The line.
        weights: GiB of weights.
        for_a_token: GiB that a forward takes for each token of a step.
    """
    write_model()
    Workers.weights, Workers.for_a_token = weights, for_a_token
    config = configured(command)
    measure(utilization=config.cache_config.gpu_memory_utilization)
    tokens = cache_tokens(config, Workers)
    return {"length": config.model_config.max_model_len, "tokens": tokens}
