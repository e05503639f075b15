"""A folder loaded through an Auto class that has no model for its configuration."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import AutoModelForCausalLM

FOLDER = "model"
SMALL: dict[str, Any] = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64}
LAYERS: dict[str, Any] = {"num_hidden_layers": 1, "num_attention_heads": 2}
ENDS: dict[str, Any] = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
THEIRS = """
from transformers import LlamaConfig, LlamaForCausalLM


class TheirConfig(LlamaConfig):
    model_type = "theirs"


class TheirModel(LlamaForCausalLM):
    config_class = TheirConfig
"""


def vision_language() -> Any:
    """Return a small Qwen2.5-VL."""
    text = SMALL | LAYERS | ENDS | {"num_key_value_heads": 2, "tie_word_embeddings": False}
    text |= {"image_token_id": 60, "video_token_id": 61, "vision_start_token_id": 62}
    text |= {"rope_scaling": {"type": "mrope", "mrope_section": [2, 3, 3]}}
    vision = {"depth": 1, "hidden_size": 32, "intermediate_size": 32, "num_heads": 2}
    # Older releases have the text's fields beside the vision part, and newer ones take them so.
    config = transformers.Qwen2_5_VLConfig(vision_config=vision | {"out_hidden_size": 32}, **text)
    return transformers.Qwen2_5_VLForConditionalGeneration(config)


def sequence_to_sequence() -> Any:
    """Return a small T5."""
    size = {"vocab_size": 64, "d_model": 32, "d_kv": 16, "d_ff": 64, "num_layers": 1}
    return transformers.T5ForConditionalGeneration(transformers.T5Config(**size, num_heads=2))


def masked() -> Any:
    """Return a small DistilBERT."""
    size = {"vocab_size": 64, "dim": 32, "hidden_dim": 64, "n_layers": 1, "n_heads": 2}
    return transformers.DistilBertForMaskedLM(transformers.DistilBertConfig(**size))


def causal() -> Any:
    """Return a small Llama."""
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**SMALL, **LAYERS, **ENDS))


KINDS = {
    "vision-language": vision_language,
    "sequence-to-sequence": sequence_to_sequence,
    "masked": masked,
    "causal": causal,
}


def save(kind: str) -> Any:
    """Write a model into the folder, as a training run or a download leaves it.

    Args:
        kind: One of `KINDS`, or ``theirs`` for a model of its authors' own code.
    """
    shutil.rmtree(FOLDER, ignore_errors=True)
    torch.manual_seed(0)
    model = KINDS.get(kind, causal)()
    model.save_pretrained(FOLDER)
    if kind == "theirs":
        Path(FOLDER, "modeling_theirs.py").write_text(THEIRS)
        path = Path(FOLDER, "config.json")
        names = {"AutoConfig": "TheirConfig", "AutoModel": "TheirModel"}
        saved = json.loads(path.read_text()) | {"model_type": "theirs"}
        saved["auto_map"] = {auto: f"modeling_theirs.{name}" for auto, name in names.items()}
        path.write_text(json.dumps(saved))
    return model


def load(*, trust_remote_code: bool) -> Any:
    """Load it as most scripts do."""
    return AutoModelForCausalLM.from_pretrained(FOLDER, trust_remote_code=trust_remote_code)
