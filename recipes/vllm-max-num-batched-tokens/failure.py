"""`vllm serve` as far as its check of the scheduler's limits."""

import proof_vllm  # noqa: F401

from fixbook.recipe.helpers.vllm_workers import configured, write_model


def serve(command: str) -> dict[str, object]:
    """Let vLLM check this command line; return the limits that it takes."""
    write_model()
    config = configured(command)
    return {
        "tokens": config.scheduler_config.max_num_batched_tokens,
        "sequences": config.scheduler_config.max_num_seqs,
        "length": config.model_config.max_model_len,
        "chunks": config.scheduler_config.enable_chunked_prefill,
    }
