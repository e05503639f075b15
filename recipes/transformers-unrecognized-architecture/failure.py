"""A small Qwen3 as a download, and what ``from_pretrained`` makes of its ``model_type``."""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from transformers import AutoConfig, AutoModelForCausalLM

SIZE = {
    "vocab_size": 64,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "tie_word_embeddings": False,
}


def weights() -> dict[str, Any]:
    """Make the tensors of a Qwen3 of one layer, without a release that has the class."""
    torch.manual_seed(0)
    shapes = {f"self_attn.{name}_proj": (32, 32) for name in "qkvo"}
    shapes |= {"mlp.gate_proj": (64, 32), "mlp.up_proj": (64, 32), "mlp.down_proj": (32, 64)}
    norms = {"self_attn.q_norm": 16, "self_attn.k_norm": 16}
    norms |= {"input_layernorm": 32, "post_attention_layernorm": 32}
    layer: dict[str, Any] = {name: torch.randn(shape) / 5 for name, shape in shapes.items()}
    layer |= {name: 1 + torch.randn(width) / 5 for name, width in norms.items()}
    return {
        "model.embed_tokens.weight": torch.randn(64, 32),
        "model.norm.weight": torch.ones(32),
        "lm_head.weight": torch.randn(64, 32),
        **{f"model.layers.0.{name}.weight": tensor for name, tensor in layer.items()},
    }


def download(folder: str, **config: Any) -> None:
    """Write a checkpoint with this in its config.json."""
    Path(folder).mkdir()
    save_file(weights(), Path(folder, "model.safetensors"), metadata={"format": "pt"})
    Path(folder, "config.json").write_text(json.dumps({**SIZE, **config}))


def adapter(folder: str) -> None:
    """Write what a LoRA run leaves: an adapter, and no config.json."""
    Path(folder).mkdir()
    Path(folder, "adapter_config.json").write_text('{"peft_type": "LORA"}')


def load(folder: str, **options: Any) -> Any:
    """Load it, as everyone does."""
    return AutoModelForCausalLM.from_pretrained(folder, output_loading_info=True, **options)


def read(folder: str) -> Any:
    """Read the config alone, as vLLM and many scripts do first."""
    return AutoConfig.from_pretrained(folder)
