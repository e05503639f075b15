"""A loss of one's own that asks the configuration of a vision-language model for vocab_size."""

from __future__ import annotations

from typing import Any

import torch
import transformers

from fixbook.recipe.helpers import tiny_llama

SMALL: dict[str, Any] = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64}
LAYERS: dict[str, Any] = {"num_hidden_layers": 1, "num_attention_heads": 2}
ENDS: dict[str, Any] = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
BATCH = {"input_ids": torch.tensor([[3, 4, 5, 6]]), "attention_mask": torch.ones(1, 4).long()}


def qwen() -> Any:
    """Return a small Qwen2.5-VL."""
    text = SMALL | LAYERS | ENDS | {"num_key_value_heads": 2, "tie_word_embeddings": False}
    text |= {"image_token_id": 60, "video_token_id": 61, "vision_start_token_id": 62}
    text |= {"rope_scaling": {"type": "mrope", "mrope_section": [2, 3, 3]}}
    vision = {"depth": 1, "hidden_size": 32, "intermediate_size": 32, "num_heads": 2}
    # Older releases have the text's fields beside the vision part, and newer ones take them so.
    config = transformers.Qwen2_5_VLConfig(vision_config=vision | {"out_hidden_size": 32}, **text)
    return transformers.Qwen2_5_VLForConditionalGeneration(config)


def gemma() -> Any:
    """Return a small Gemma 3 that reads images."""
    text = SMALL | LAYERS | ENDS | {"num_key_value_heads": 1, "head_dim": 16}
    vision = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1}
    vision |= {"num_attention_heads": 2, "image_size": 28, "patch_size": 14}
    parts = {"text_config": text, "vision_config": vision}
    config = transformers.Gemma3Config(**parts, image_token_index=60, mm_tokens_per_image=4)
    return transformers.Gemma3ForConditionalGeneration(config)


def llama() -> Any:
    """Return a small Llama, whose rope_theta is not the default."""
    return tiny_llama(vocab_size=64, num_attention_heads=2, rope_theta=1000000.0)


def loss_of(model: Any, vocab_size: int) -> float:
    """Compute the cross entropy as a script of one's own does."""
    logits = model(**BATCH).logits[:, :-1]
    labels = BATCH["input_ids"][:, 1:]
    loss = torch.nn.functional.cross_entropy(logits.reshape(-1, vocab_size), labels.flatten())
    return float(loss.detach())
