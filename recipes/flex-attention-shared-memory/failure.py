"""One training step with FlexAttention, as a script of one's own would take it."""

from __future__ import annotations

from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM


def train(
    attention: str = "flex_attention",
    head_dim: int = 256,
    dtype: str = "bfloat16",
    device: str = "cuda",
    **options: Any,
) -> LlamaForCausalLM:
    """Train a tiny Llama for one step; only the size of its heads matters here.

    Args:
        attention: Attention implementation of transformers.
        head_dim: Size of one head.
        dtype: Data type of weights and activations.
        device: Where to train.
        **options: What the model passes on to its attention, such as ``kernel_options``.

    Returns:
        The model, with its gradients.
    """
    torch.manual_seed(0)
    torch.set_default_dtype(getattr(torch, dtype))
    config = LlamaConfig(
        vocab_size=64, hidden_size=64, intermediate_size=64, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2, head_dim=head_dim,
        attn_implementation=attention,
    )  # fmt: skip
    with torch.device(device):
        model = LlamaForCausalLM(config)
        tokens = torch.arange(1024)[None] % 64
    model(input_ids=tokens, labels=tokens, **options).loss.backward()
    return model
