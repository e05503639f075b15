"""`vllm serve` as far as its check of the scheduler's limits."""

import proof_vllm  # noqa: F401
from vllm.v1.core.encoder_cache_manager import compute_mm_encoder_budget

from fixbook.recipe.helpers.vllm_workers import configured, write_model


def serve(command: str, item: int = 0) -> dict[str, object]:
    """Let vLLM check this command line; return the limits that it takes.

    Args:
        command: The command line.
        item: Tokens of the largest picture that the model takes; 0 for a model of text.
    """
    write_model()
    config = configured(command)
    if item:
        compute_mm_encoder_budget(config.scheduler_config, {"image": item})
    return {
        "tokens": config.scheduler_config.max_num_batched_tokens,
        "sequences": config.scheduler_config.max_num_seqs,
        "length": config.model_config.max_model_len,
        "chunks": config.scheduler_config.enable_chunked_prefill,
    }
