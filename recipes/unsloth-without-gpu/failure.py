"""A training script of Unsloth: its first import, and a step of a small model."""

from __future__ import annotations

import importlib
import os
from typing import Any

import torch

from fixbook.recipe import measure
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer


def train() -> dict[str, Any]:
    """Load a model with Unsloth and compute a gradient of its LoRA; say where that was."""
    measure(visible=os.environ.get("CUDA_VISIBLE_DEVICES", "all"))
    tiny_llama().save_pretrained("model")
    tiny_tokenizer().save_pretrained("model")
    unsloth = importlib.import_module("unsloth")
    load = unsloth.FastLanguageModel
    model, _ = load.from_pretrained("model", max_seq_length=64, load_in_4bit=False)
    model = load.get_peft_model(model, r=4, lora_alpha=4, target_modules=["q_proj"])
    ids = torch.arange(4, 12)[None]
    model(input_ids=ids, labels=ids).loss.backward()
    trained = [weight for weight in model.parameters() if weight.grad is not None]
    return {"device": trained[0].device.type, "type": unsloth.DEVICE_TYPE}


def look() -> dict[str, str]:
    """Import the part of Unsloth that looks for a device, which is what raises."""
    measure(torch=torch.__version__)
    return {"type": importlib.import_module("unsloth_zoo.device_type").DEVICE_TYPE}
