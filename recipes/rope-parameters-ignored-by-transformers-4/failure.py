"""A checkpoint in the words of transformers 5, read by whichever transformers is installed."""

import json
from pathlib import Path
from typing import Any

from transformers import AutoModelForCausalLM, LlamaConfig, PhiConfig, Qwen2Config

from fixbook.recipe import device

LLAMA3: dict[str, Any] = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
BY_4: dict[str, Any] = {"rope_theta": 500000.0, "rope_scaling": LLAMA3}
BY_5 = {"rope_parameters": {"rope_theta": 500000.0, **LLAMA3}}  # what transformers 5 writes
QWEN_BY_4: dict[str, Any] = {"rope_theta": 1000000.0}
QWEN = {"rope_parameters": {"rope_theta": 1000000.0, "rope_type": "default"}}
PHI_BY_4: dict[str, Any] = {"rope_theta": 500000.0, "partial_rotary_factor": 0.25}
PHI = {"rope_parameters": {"rope_type": "default", **PHI_BY_4}}
SIZE: dict[str, Any] = {"vocab_size": 64, "hidden_size": 64, "intermediate_size": 64}
SIZE |= {"num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 2}
SIZE |= {"max_position_embeddings": 131072}
SIZE |= {"initializer_range": 0.3}  # random weights that tell tokens and positions apart


def llama() -> Any:
    """Return the model as it was trained; both 4 and 5 take the rope in the words of 4."""
    return AutoModelForCausalLM.from_config(LlamaConfig(**SIZE, **BY_4))


def qwen() -> Any:
    """Return a Qwen2, whose rope is not scaled."""
    return AutoModelForCausalLM.from_config(Qwen2Config(**SIZE, **QWEN_BY_4))


def phi() -> Any:
    """Return a Phi, which turns a quarter of each head."""
    return AutoModelForCausalLM.from_config(PhiConfig(**SIZE, **PHI_BY_4))


def save(model: Any, folder: str, rope: dict[str, Any]) -> None:
    """Save it, with the rope in ``config.json`` in these words."""
    model.save_pretrained(folder)
    path = Path(folder, "config.json")
    saved = json.loads(path.read_text())
    gone = [key for key in saved if key.startswith("rope_") or key == "partial_rotary_factor"]
    kept = {key: value for key, value in saved.items() if key not in gone}
    path.write_text(json.dumps({**kept, **rope}))


def read(folder: str) -> Any:
    """Read it, as everyone does."""
    model: Any = AutoModelForCausalLM.from_pretrained(folder)
    return model.to(device())
