"""Tiny models of several kinds, with a tokenizer for each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from transformers import AutoConfig, AutoModelForCausalLM

from fixbook.recipe.helpers import tiny_tokenizer

BASE, CHECKPOINT = "BASE_MODEL", "checkpoint"
SIZES: dict[str, Any] = {
    "vocab_size": 128,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "pad_token_id": 0,
    "bos_token_id": 2,
    "eos_token_id": 3,
}


THEIRS = """
from transformers import LlamaConfig, LlamaForCausalLM


class TheirConfig(LlamaConfig):
    model_type = "theirs"


class TheirModel(LlamaForCausalLM):
    config_class = TheirConfig
"""


def tiny(kind: str) -> Any:
    """Return a model with random weights.

    Args:
        kind: Its ``model_type``; ``theirs`` is of its authors' own code.
    """
    if kind == "theirs":
        return tiny("llama")
    return AutoModelForCausalLM.from_config(AutoConfig.for_model(kind, **SIZES))


def save_base(kind: str) -> None:
    """Write the base model, with its tokenizer."""
    tiny(kind).save_pretrained(BASE)
    tiny_tokenizer().save_pretrained(BASE)


def save_model(kind: str) -> None:
    """Write the model alone, as ``model.save_pretrained`` does."""
    tiny(kind).save_pretrained(CHECKPOINT)
    if kind == "theirs":
        Path(CHECKPOINT, "modeling_theirs.py").write_text(THEIRS)
        path = Path(CHECKPOINT, "config.json")
        names = {"AutoConfig": "TheirConfig", "AutoModelForCausalLM": "TheirModel"}
        own = {auto: f"modeling_theirs.{name}" for auto, name in names.items()}
        saved = json.loads(path.read_text()) | {"model_type": "theirs", "auto_map": own}
        path.write_text(json.dumps(saved))
