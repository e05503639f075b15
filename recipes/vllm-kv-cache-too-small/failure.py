"""What `vllm serve` does until the KV cache is there, for a model of 8 billion parameters."""

from proof_vllm import Workers

from fixbook.recipe import measure
from fixbook.recipe.helpers.vllm_workers import cache_tokens, configured, write_model


def serve(command: str) -> dict[str, float]:
    """Start the engine of this command line; return what it can hold."""
    write_model()
    config = configured(command)
    measure(utilization=config.cache_config.gpu_memory_utilization)
    tokens = cache_tokens(config, Workers)
    length = config.model_config.max_model_len
    return {"length": length, "tokens": tokens, "at_once": tokens / length}
