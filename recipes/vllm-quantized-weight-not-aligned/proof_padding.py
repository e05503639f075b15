"""A small Qwen2 with the MLP's size of the one of 72 billion parameters, and its padded copy."""

from __future__ import annotations

import torch
from transformers import AutoModelForCausalLM, Qwen2Config, Qwen2ForCausalLM

from fixbook.recipe import snippet


def pad() -> dict[str, float]:
    """Save the small model, pad it as the page does, and compare the two."""
    torch.manual_seed(0)
    small = Qwen2Config(
        vocab_size=128, hidden_size=32, intermediate_size=29568, num_hidden_layers=1,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64,
    )  # fmt: skip
    Qwen2ForCausalLM(small).save_pretrained("MODEL")
    snippet("pad")
    words = torch.arange(32)[None]
    whole, padded = (
        AutoModelForCausalLM.from_pretrained(name).eval() for name in ("MODEL", "PADDED")
    )
    with torch.no_grad():
        off_by = (whole(words).logits - padded(words).logits).abs().max().item()
    groups = padded.model.layers[0].mlp.down_proj.weight.unflatten(1, (-1, 128)).abs().amax((0, 2))
    size: int = padded.config.intermediate_size
    return {"size": size, "off_by": off_by, "empty_groups": int((groups == 0).sum())}
