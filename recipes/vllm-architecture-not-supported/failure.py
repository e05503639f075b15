"""`vllm serve` as far as its configuration, which looks for a class for the model."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import proof_vllm  # noqa: F401
from transformers import AutoModel, LlamaConfig, LlamaForCausalLM

from fixbook.recipe.helpers.vllm_workers import configured, write_model

SMALL: dict[str, Any] = {
    "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 128,
    "max_position_embeddings": 128,
}  # fmt: skip


class LlamaWithExtraLoss(LlamaForCausalLM):
    """What a training script may call its model."""


def saved_by_training() -> None:
    """Save the original to ORIGINAL, and a model of the training's own class to MODEL."""
    config = LlamaConfig(**SMALL)
    LlamaForCausalLM(config).save_pretrained("ORIGINAL")
    LlamaWithExtraLoss(config).save_pretrained("MODEL")


def saved_without_head() -> None:
    """Load the original as AutoModel, and save it."""
    saved_by_training()
    AutoModel.from_pretrained("ORIGINAL").save_pretrained("MODEL")


def of_another(architecture: str, model_type: str = "llama") -> None:
    """Write the configuration of a model of that class."""
    write_model(architectures=[architecture], model_type=model_type, max_position_embeddings=2048)


def serve(command: str = "vllm serve MODEL") -> dict[str, str]:
    """Let vLLM read its command line; return which class it takes, and for what."""
    os.environ["VLLM_CACHE_ROOT"] = str(Path("cache").resolve())  # else it looks only once
    config = configured(command).model_config
    return {"taken": config.architecture, "runner": config.runner_type}


def architectures() -> list[str]:
    """Return what config.json says."""
    found: list[str] = json.loads(Path("MODEL/config.json").read_text("utf-8"))["architectures"]
    return found
