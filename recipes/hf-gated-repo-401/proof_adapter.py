"""An adapter whose base model is gated: loaded without a token, and saved without one."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

from failure import gate
from peft import AutoPeftModelForCausalLM, LoraConfig
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

from fixbook.recipe.helpers import local_hub, tiny_llama, tiny_lora


def adapter() -> str:
    """Load an adapter that anybody may read, onto a base that not everybody may."""
    LoraConfig(base_model_name_or_path="team/gated", task_type="CAUSAL_LM").save_pretrained("mine")
    doors = {
        "team/gated": partial(gate, files=Path("none"), members={"hf_granted"}),
        "team/adapter": Path("mine").resolve(),
    }
    with local_hub(doors):
        return type(AutoPeftModelForCausalLM.from_pretrained("team/adapter")).__name__


def save(*, token: bool, **options: Any) -> dict[str, Any]:
    """Add tokens to a gated model, put LoRA on it, and save, with or without the token."""
    tiny_llama().save_pretrained("files")
    files = Path("files").resolve()
    os.environ["HF_TOKEN"] = "hf_granted"  # noqa: S105 - a stand-in's
    with local_hub({"team/gated": partial(gate, files=files, members={"hf_granted"})}):
        model = AutoModelForCausalLM.from_pretrained("team/gated")
        model.resize_token_embeddings(140)
        lora = tiny_lora(model)
        if not token:
            del os.environ["HF_TOKEN"]
        lora.save_pretrained("adapter", **options)
    kept = [name for name in load_file("adapter/adapter_model.safetensors") if "embed" in name]
    return {"found": not kept, "embeddings": len(kept)}
