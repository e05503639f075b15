"""Load with an argument, or as the page says; ask whether an argument is taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from failure import load, save
from transformers import AutoConfig

from fixbook.recipe import snippet
from fixbook.recipe.helpers import tiny_tokenizer

# What is passed, and what the page's lines are given in its place.
REFUSED: dict[str, dict[str, Any]] = {
    "dtype": {"dtype": "bfloat16"},
    "bits": {"load_in_8bit": True},
    "attention": {"use_flash_attention_2": True},
    "length": {"max_seq_length": 8},
}
TEXTS = ["the model reads a text and writes the next word"] * 2
GIVEN: dict[str, dict[str, Any]] = {
    "dtype": {"kind": "bfloat16"},
    "bits": {},
    "attention": {"kind": "sdpa"},
    "length": {"texts": TEXTS, "length": 8},
}
ASKED = {
    "flag": ["load_in_8bit"],
    "usual": [
        *("dtype", "torch_dtype", "device_map", "quantization_config", "attn_implementation"),
        *("revision", "cache_dir", "token", "trust_remote_code", "low_cpu_mem_usage"),
        *("max_memory", "offload_folder", "local_files_only", "config", "use_cache", "vocab_size"),
    ],
}


def loaded(what: str, *, mend: bool = False) -> dict[str, Any]:
    """Load a checkpoint in bf16 with an argument, or by the lines of the page."""
    save()
    if not mend:
        return seen(load(**REFUSED[what]))
    names = snippet(what, folder="model", tokenizer=tiny_tokenizer(), **GIVEN[what])
    width = names["batch"]["input_ids"].shape[1] if "batch" in names else None
    return {**seen(names["model"]), "width": width}


def seen(model: Any) -> dict[str, Any]:
    """Describe a model that was loaded."""
    layer = type(model.model.layers[0].self_attn.q_proj).__name__
    return {
        "dtype": str(model.dtype),
        "layer": layer,
        "attention": model.config._attn_implementation,
    }


def beside_config(*, mend: bool = False) -> dict[str, Any]:
    """Pass a value of the configuration beside one, or in it."""
    save()
    if mend:
        model = snippet("config", folder="model")["model"]
    else:
        model = load(config=AutoConfig.from_pretrained("model"), use_cache=False)
    return {"use_cache": model.config.use_cache}


def asked(names: str) -> dict[str, Any]:
    """Ask the page's lines about arguments."""
    save()
    every = ASKED[names]
    unknown = [n for n in every if not snippet("taken", argument=n, folder="model")["taken"]]
    return {"found": bool(unknown), "unknown": unknown, "asked": len(every)}


def passed_over() -> dict[str, Any]:
    """Load a checkpoint whose configuration has a field dtype, as newer releases save it."""
    save()
    path = Path("model", "config.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | {"dtype": "bfloat16"}))
    return in_bf16(load(dtype="bfloat16"))


def left_out() -> dict[str, Any]:
    """Load a checkpoint in bf16 without saying so."""
    save()
    return in_bf16(load())


def in_bf16(model: Any) -> dict[str, Any]:
    """Look whether a model is in bf16."""
    return {"found": str(model.dtype) != "torch.bfloat16", "dtype": str(model.dtype)}
