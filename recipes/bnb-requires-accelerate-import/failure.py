"""A model that is to be loaded in 4 bits, in an environment that lacks something for it."""

import importlib
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

SIZES = {"vocab_size": 64, "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 1}


def save() -> None:
    """Write a model."""
    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(num_attention_heads=2, **SIZES)).save_pretrained("base")


def load(*, stored: bool = False) -> Any:
    """Load it in 4 bits, as the caller says, or as config.json of the checkpoint says."""
    settings = BitsAndBytesConfig(load_in_4bit=True)
    if not stored:
        return AutoModelForCausalLM.from_pretrained("base", quantization_config=settings)
    path = Path("base", "config.json")
    config = json.loads(path.read_text()) | {"quantization_config": settings.to_dict()}
    path.write_text(json.dumps(config))
    return AutoModelForCausalLM.from_pretrained("base")


def install_newer() -> None:
    """Bring a newer bitsandbytes into this interpreter's path, as pip in a notebook does."""
    found = importlib.util.find_spec("bitsandbytes")
    assert found is not None
    assert found.origin is not None
    sys.path = [folder for folder in sys.path if not found.origin.startswith(f"{folder}/")]
    importlib.invalidate_caches()
