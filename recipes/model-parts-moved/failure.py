"""Code that reaches into a vision-language model by the names of 2024."""

from __future__ import annotations

from typing import Any

import torch
import transformers

from fixbook.recipe.helpers import tiny_llama

SMALL: dict[str, Any] = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64}
LAYERS: dict[str, Any] = {"num_hidden_layers": 2, "num_attention_heads": 2}
ENDS: dict[str, Any] = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}


def qwen() -> Any:
    """Return a small Qwen2.5-VL."""
    torch.manual_seed(0)
    text = SMALL | LAYERS | ENDS | {"num_key_value_heads": 2, "tie_word_embeddings": False}
    text |= {"image_token_id": 60, "video_token_id": 61, "vision_start_token_id": 62}
    text |= {"rope_scaling": {"type": "mrope", "mrope_section": [2, 3, 3]}}
    vision = {"depth": 1, "hidden_size": 32, "intermediate_size": 32, "num_heads": 2}
    # Older releases have the text's fields beside the vision part, and newer ones take them so.
    config = transformers.Qwen2_5_VLConfig(vision_config=vision | {"out_hidden_size": 32}, **text)
    return transformers.Qwen2_5_VLForConditionalGeneration(config)


def llama() -> Any:
    """Return a small text model."""
    return tiny_llama()


def layers(model: Any) -> Any:
    """Return the layers of the text part."""
    return model.model.layers


def vision(model: Any) -> Any:
    """Return the part that reads images."""
    return model.visual


def language(model: Any) -> Any:
    """Return the text part."""
    return model.language_model


def freeze_vision(model: Any) -> None:
    """Train all but the part that reads images."""
    for name, parameter in model.named_parameters():
        if name.startswith("visual."):
            parameter.requires_grad = False
