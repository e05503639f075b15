"""The folder of a LoRA run, loaded with the base model that it belongs to."""

from __future__ import annotations

from typing import Any

import torch
from failure import download, load, read
from peft import LoraConfig, get_peft_model

from fixbook.recipe import snippet


@torch.no_grad()
def with_its_base() -> dict[str, Any]:
    """Save a LoRA run, load it in both ways, and compare with the model that was saved."""
    ids = torch.arange(64)[None]
    download("base", model_type="qwen3")
    plain = load("base")[0](ids).logits
    lora = LoraConfig(r=2, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    tuned: Any = get_peft_model(load("base")[0], lora)
    wanted = tuned(ids).logits
    tuned.save_pretrained("run-7")
    added: Any = snippet("base-and-adapter", base="base", folder="run-7")["model"]
    return {
        "moved": (wanted - plain).abs().max().item(),
        "off_by": (added(ids).logits - wanted).abs().max().item(),
        "auto_off_by": (load("run-7")[0](ids).logits - wanted).abs().max().item(),
        "config_alone": _config_alone("run-7"),
    }


def _config_alone(folder: str) -> str:
    """Tell what becomes of it where only the config is asked for."""
    try:
        return str(read(folder).model_type)
    except ValueError as error:
        return str(error)[:18]
