"""Checkpoints that are quantized in formats whose libraries the environment lacks."""

import json
from pathlib import Path
from typing import Any

import torch
from proof_pack import packed
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

SIZES: dict[str, Any] = {
    "vocab_size": 64,
    "hidden_size": 64,
    "intermediate_size": 64,
    "num_hidden_layers": 1,
}
INT8 = {"num_bits": 8, "type": "int", "symmetric": True}
SCHEME = {
    "targets": ["Linear"],
    "weights": INT8 | {"strategy": "channel"},
    "input_activations": INT8 | {"strategy": "token", "dynamic": True},
}
FORMATS: dict[str, dict[str, Any]] = {
    "awq": {"quant_method": "awq", "bits": 4, "group_size": 32, "version": "gemm"},
    "gptq": {"quant_method": "gptq", "bits": 4, "group_size": 32, "desc_act": False},
    "compressed-tensors": {
        "quant_method": "compressed-tensors",
        "format": "int-quantized",
        "quantization_status": "compressed",
        "config_groups": {"group_0": SCHEME},
        "ignore": ["lm_head"],
    },
}


def base() -> Any:
    """Return the model that is not quantized."""
    torch.manual_seed(0)
    return LlamaForCausalLM(LlamaConfig(num_attention_heads=2, **SIZES))


def save(kind: str) -> None:
    """Write the model as it is, and beside it the checkpoint that says it is quantized."""
    model = base()
    model.save_pretrained("original")
    weights = model.state_dict()
    if kind == "compressed-tensors":
        for name in [name for name in weights if name.endswith("_proj.weight")]:
            scale = weights[name].abs().amax(1, keepdim=True) / 127
            weights[f"{name}_scale"] = scale
            weights[name] = (weights[name] / scale).round().to(torch.int8)
    else:
        weights = packed(weights, kind)
    model.save_pretrained("quantized", state_dict=weights)
    config = Path("quantized", "config.json")
    said = json.loads(config.read_text()) | {"quantization_config": FORMATS[kind]}
    config.write_text(json.dumps(said))


def load(folder: str = "quantized", **options: Any) -> Any:
    """Load a checkpoint as its config.json asks."""
    return AutoModelForCausalLM.from_pretrained(folder, **options)
