"""A quantised model, and what programs do to it after loading."""

from typing import Any

import torch
from accelerate import dispatch_model
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

from fixbook.recipe import device

SIZES = {"vocab_size": 64, "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 1}
LORA = LoraConfig(target_modules=["q_proj"])


def quantisation(bits: int) -> Any:
    """Quantise in 4 or in 8 bits."""
    return BitsAndBytesConfig(load_in_4bit=bits == 4, load_in_8bit=bits == 8)


def save() -> None:
    """Write the base."""
    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(num_attention_heads=2, **SIZES)).save_pretrained("base")


def load(bits: int) -> Any:
    """Load it quantised or in 16 bits, with the rest of it in fp32."""
    given: dict[str, Any] = {"dtype": torch.float32}
    if bits < 16:
        given["quantization_config"] = quantisation(bits)
    return AutoModelForCausalLM.from_pretrained("base", device_map=device(), **given)


def change(model: Any, how: str) -> Any:
    """Move or cast the whole of it, in one way or another."""
    ways: dict[str, Any] = {
        "nothing": lambda: model,
        "cast": lambda: model.to(torch.bfloat16),
        "half": model.half,
        "cuda": model.cuda,
        "move": lambda: model.to(device()),
        "dispatch": lambda: dispatch_model(model, {"": device()}),
        "cast the wrapper": lambda: get_peft_model(model, LORA).to(torch.bfloat16),
    }
    return ways[how]()
