"""An adapter of a vision-language model, loaded into the class of its text model alone."""

from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import (
    CLIPVisionConfig,
    LlamaConfig,
    LlamaForCausalLM,
    LlavaConfig,
    LlavaForConditionalGeneration,
)

from fixbook.recipe import device

LAYERS = ["q_proj", "v_proj"]


def with_vision() -> Any:
    """Return a small vision-language model; its language layers are model.language_model.layers.

    In transformers up to 4.51 they are language_model.model.layers.
    """
    torch.manual_seed(0)
    size: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 2}
    eye = CLIPVisionConfig(image_size=4, patch_size=2, num_hidden_layers=1, **size)
    tongue = LlamaConfig(vocab_size=64, num_hidden_layers=2, initializer_range=0.2, **size)
    config = LlavaConfig(vision_config=eye, text_config=tongue, image_token_index=63)
    return LlavaForConditionalGeneration(config).to(device())


def text_alone(whole: Any) -> Any:
    """Return the text model with the same weights; its layers are model.layers."""
    model = LlamaForCausalLM(whole.config.text_config)
    inner = getattr(whole, "model", whole).language_model
    model.model.load_state_dict(getattr(inner, "model", inner).state_dict())
    model.lm_head.load_state_dict(whole.get_output_embeddings().state_dict())
    return model.to(device())


def trained(whole: Any, folder: Path) -> Any:
    """Put an adapter on it, as after a training, and save it."""
    model = get_peft_model(whole, LoraConfig(r=4, target_modules=LAYERS))
    torch.manual_seed(1)
    for name, weight in model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weight)
    model.save_pretrained(str(folder))
    return model


def load(model: Any, folder: Path, **named: Any) -> Any:
    """Load it, as one does."""
    return PeftModel.from_pretrained(model, str(folder), **named)
