"""Checkpoints whose config.json speaks of a RoPE that an older transformers does not know."""

import json
from pathlib import Path
from typing import Any

from transformers import AutoConfig, AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

LLAMA3: dict[str, Any] = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
LONGROPE = {"type": "longrope", "short_factor": [1.0] * 16, "long_factor": [1.0] * 16}
PARTIAL: dict[str, Any] = {"partial_rotary_factor": 0.75}
PARTIAL["rope_scaling"] = {**LONGROPE, "short_factor": [1.0] * 12, "long_factor": [1.0] * 12}
PROPORTIONAL = {"rope_type": "proportional", "rope_theta": 500000.0, "partial_rotary_factor": 0.5}
SIZE: dict[str, Any] = {"vocab_size": 64, "hidden_size": 64, "intermediate_size": 64}
SIZE |= {"num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 2}
SIZE |= {"max_position_embeddings": 131072}
SIZE |= {"initializer_range": 0.3}  # random weights that tell tokens and positions apart


def save(folder: str, **rope: Any) -> Any:
    """Save a Llama, write into its config.json what is given here, and return it."""
    model = LlamaForCausalLM(LlamaConfig(**SIZE))
    model.save_pretrained(folder)
    path = Path(folder, "config.json")
    saved = json.loads(path.read_text())
    kept = {key: value for key, value in saved.items() if not key.startswith("rope_")}
    path.write_text(json.dumps({**kept, "rope_theta": 500000.0, **rope}))
    return model


def read(folder: str) -> Any:
    """Read it, as everyone does."""
    return AutoModelForCausalLM.from_pretrained(folder)


def phi3(folder: str, **more: Any) -> Any:
    """Read the config of a Phi-3 of 2024, or with more keys of a Phi-4 mini."""
    Path(folder).mkdir()
    saved = {**SIZE, "model_type": "phi3", "pad_token_id": 0, "rope_scaling": LONGROPE, **more}
    Path(folder, "config.json").write_text(json.dumps(saved))
    return AutoConfig.from_pretrained(folder)
