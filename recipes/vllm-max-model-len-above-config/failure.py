"""`vllm serve` as far as its check of the length that was asked for."""

import json

import proof_vllm  # noqa: F401

from fixbook.recipe import measure
from fixbook.recipe.helpers.vllm_workers import configured, write_model


def serve(command: str, positions: int = 2048) -> dict[str, object]:
    """Let vLLM check the command line, for a model that was trained on so many positions."""
    write_model(max_position_embeddings=positions, rope_theta=10000.0)
    measure(yarn='"yarn"' in command, option="--rope-scaling" in command)
    config = configured(command).model_config
    rope = json.dumps(getattr(config.hf_text_config, "rope_parameters", None))
    return {"length": config.max_model_len, "scaled": "yarn" in rope}
