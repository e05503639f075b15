"""A language model that is small enough to train thousands of steps on a processor."""

from __future__ import annotations

from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM


def small_llama(hidden: int = 32, layers: int = 2) -> LlamaForCausalLM:
    """Return a Llama of a few thousand parameters."""
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=128,
        hidden_size=hidden,
        intermediate_size=2 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
    )
    return LlamaForCausalLM(config)


class Sentences(torch.utils.data.Dataset[dict[str, Any]]):
    """The same sentence of numbers, over and over."""

    def __init__(self, rows: int) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, index: int) -> dict[str, Any]:
        ids = (torch.arange(16) + index) % 128
        return {"input_ids": ids, "labels": ids.clone()}
