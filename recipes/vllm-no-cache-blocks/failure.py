"""What `vllm serve` does until the KV cache is there, for a model of 8 billion parameters."""

from proof_vllm import Workers

from fixbook.recipe import measure
from fixbook.recipe.helpers.vllm_workers import cache_tokens, configured, write_model


def serve(command: str, weights: float) -> dict[str, float]:
    """Start the engine of this command line, with weights of so many GiB; return what it holds."""
    write_model()
    Workers.weights = weights
    config = configured(command)
    measure(utilization=config.cache_config.gpu_memory_utilization)
    tokens = cache_tokens(config, Workers)
    return {"length": config.model_config.max_model_len, "tokens": tokens}
