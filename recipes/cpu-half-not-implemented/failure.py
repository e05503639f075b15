"""Models in half precision that stay on the CPU, and two tensors that torch has no code for."""

from typing import Any

import torch
from transformers import (
    AutoModelForCausalLM,
    CLIPVisionConfig,
    CLIPVisionModel,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
)

WIDTHS = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 2}


def save() -> None:
    """Write three small models."""
    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(vocab_size=64, num_hidden_layers=1, **WIDTHS)).save_pretrained(
        "llama"
    )
    GPT2LMHeadModel(GPT2Config(vocab_size=64, n_embd=32, n_layer=1, n_head=2)).save_pretrained(
        "gpt2"
    )
    sizes = {"image_size": 16, "patch_size": 8}
    CLIPVisionModel(CLIPVisionConfig(num_hidden_layers=1, **WIDTHS, **sizes)).save_pretrained(
        "clip"
    )


def load(kind: str) -> tuple[Any, dict[str, Any]]:
    """Load one of them in fp16, with an input."""
    torch.manual_seed(0)
    if kind == "clip":
        model = CLIPVisionModel.from_pretrained("clip", torch_dtype=torch.float16)
        return model, {"pixel_values": torch.randn(1, 3, 16, 16).half()}
    model = AutoModelForCausalLM.from_pretrained(kind, torch_dtype=torch.float16)
    return model, {"input_ids": torch.arange(8)[None]}


def extract(base: Any, tuned: Any, rank: int = 4) -> tuple[Any, Any]:
    """Factor what training has changed, as tools do that make a LoRA adapter of it."""
    left, sizes, right = torch.linalg.svd(tuned - base, full_matrices=False)
    return left[:, :rank] * sizes[:rank], right[:rank]


def merge(base: Any, delta: Any) -> Any:
    """Add a change to a weight in eight bits."""
    return base + delta.to(base.dtype)
