"""Weights under names that vLLM does not look for, or not all of them, and vLLM's loader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import save_file
from transformers import LlamaConfig, LlamaForCausalLM

SMALL: dict[str, Any] = {
    "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 128,
    "max_position_embeddings": 128, "dtype": "bfloat16", "architectures": ["LlamaForCausalLM"],
}  # fmt: skip
LORA = LoraConfig(r=4, target_modules=["q_proj", "down_proj"])


def original() -> Any:
    """Write the original model to ORIGINAL, and return it."""
    torch.manual_seed(0)
    model: Any = LlamaForCausalLM(LlamaConfig(**SMALL))
    model.to(torch.bfloat16)
    model.save_pretrained("ORIGINAL")
    return model


def trained() -> Any:
    """Return it with a LoRA adapter that has learnt something."""
    model = get_peft_model(original(), LORA)
    for name, weight in model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weight, std=0.1)
    return model


def save(weights: dict[str, torch.Tensor]) -> None:
    """Save a state dict by hand, beside the configuration."""
    LlamaConfig(**SMALL).save_pretrained("MODEL")
    kept = {name: weight.detach().clone() for name, weight in weights.items()}
    save_file(kept, "MODEL/model.safetensors", {"format": "pt"})


def load(folder: str) -> Any:
    """Let vLLM make the model and load its weights."""
    from vllm.config import set_current_vllm_config
    from vllm.distributed import (
        init_distributed_environment,
        initialize_model_parallel,
    )
    from vllm.model_executor.model_loader import (
        get_model_loader,
    )

    from fixbook.recipe.helpers.vllm_workers import configured

    config = configured(f"vllm serve {folder}")
    with set_current_vllm_config(config):
        store = f"file://{Path('store').resolve()}"
        init_distributed_environment(1, 0, store, 0, "gloo")
        initialize_model_parallel(1)
        loader = get_model_loader(config.load_config)
        return loader.load_model(vllm_config=config, model_config=config.model_config)
