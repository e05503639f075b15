"""A model is loaded by a path, which is taken for a name on the Hub where no folder is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

CHECKPOINT = "outputs/run-1/checkpoint-500"


def save(folder: str, *, seed: int = 0) -> Path:
    """Save a small model with random weights."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=64,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return Path(folder).resolve()


def load(path: str, **options: Any) -> Any:
    """Load it as every script does."""
    return AutoModelForCausalLM.from_pretrained(path, **options)


def weight(model: Any) -> float:
    """Return a number by which models with other weights are told apart."""
    return float(model.lm_head.weight.detach().abs().sum())
