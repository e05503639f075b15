"""A quantised model that device_map="auto" spreads over a device and what lies behind it."""

from typing import Any

import torch
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

SIZES = {"vocab_size": 256, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 4}


def save() -> None:
    """Write the base."""
    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(num_attention_heads=2, **SIZES)).save_pretrained("base")


def load(
    kilobytes: int = 150,
    bits: int = 4,
    base: str = "base",
    place: Any = "auto",
    **quantisation: bool,
) -> Any:
    """Load it where the device has so much memory left; the rest would go to the disk."""
    given: dict[str, Any] = {}
    if bits < 16:
        chosen = {f"load_in_{bits}bit": True, **quantisation}
        given["quantization_config"] = BitsAndBytesConfig(**chosen)
    return AutoModelForCausalLM.from_pretrained(
        base,
        dtype=torch.float32,
        device_map=place,
        max_memory={"cpu": f"{kilobytes}KB"},
        offload_folder="offload",
        **given,
    )
