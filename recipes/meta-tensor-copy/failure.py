"""Load a small model in the ways that leave weights without data, and move, train or read it."""

from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

IDS = torch.tensor([[2, 5, 7, 9]])
LAST = "model.layers.1"
PARTS = ["model.embed_tokens", "model.layers.0", "model.norm", "model.rotary_emb", "lm_head"]
OFFLOAD = {LAST: "disk"} | dict.fromkeys(PARTS, "cpu")


def on_meta() -> Any:
    """Build a model by hand: shapes, and no data."""
    with torch.device("meta"):
        return LlamaForCausalLM(LlamaConfig.from_pretrained("base"))


def state_dict() -> dict[str, torch.Tensor]:
    """Read the weights."""
    return load_file("base/model.safetensors")


def offloaded() -> Any:
    """Load with the last layer on disk, as device_map="auto" does where memory is short."""
    return AutoModelForCausalLM.from_pretrained("base", device_map=OFFLOAD, offload_folder="disk")


def with_lora(model: Any) -> Any:
    """Put LoRA on every layer."""
    return get_peft_model(model, LoraConfig(target_modules=["q_proj", "v_proj"]))


def backward(model: Any) -> int:
    """Train one step; return how many of the weights to be trained got no gradient."""
    model(input_ids=IDS, labels=IDS).loss.backward()
    return sum(p.grad is None for p in model.parameters() if p.requires_grad)
