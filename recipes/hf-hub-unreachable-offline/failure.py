"""A model is loaded by its name on the Hub, from a machine that cannot ask the Hub."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

REPO = "team/model"


def publish() -> Path:
    """Save what the repository holds: a small model that is to be sampled at 0.3."""
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=64,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=2,
        )
    )
    model.generation_config.do_sample = True
    model.generation_config.temperature = 0.3
    model.save_pretrained("published")
    return Path("published").resolve()


def load(name: str = REPO, **options: Any) -> Any:
    """Load it as every script does."""
    return AutoModelForCausalLM.from_pretrained(name, **options)
