"""What a RoPE of config.json becomes, measured against its formula, and the older releases."""

from __future__ import annotations

import json
from math import pi
from pathlib import Path
from typing import Any

import torch
from failure import LLAMA3, PARTIAL, PROPORTIONAL, SIZE, phi3, read, save

from fixbook.recipe import snippet


def of_llama3() -> torch.Tensor:
    """Return the frequencies of Llama 3.1: slow ones divided by 8, and a ramp in between."""
    plain = 1 / 500000 ** (torch.arange(0, 32, 2) / 32)
    fast = ((8192 * plain / (2 * pi) - 1) / 3).clamp(0, 1)
    return plain * (fast + (1 - fast) / 8)


@torch.no_grad()
def compare(*, restored: bool = False, **rope: Any) -> dict[str, Any]:
    """Read a checkpoint, and compare it with the same weights under the right frequencies."""
    torch.manual_seed(0)
    right = save("saved", **rope)
    for module in right.modules():
        if hasattr(module, "inv_freq"):
            module.inv_freq = of_llama3()
    if restored:
        save("original", rope_scaling=LLAMA3)
        snippet("restore", original="original", folder="saved")
    model = read("saved")
    ids = (torch.arange(256) * 7 % 64)[None]
    wanted, got = right(ids).logits, model(ids).logits
    scaling = model.config.rope_scaling
    return {
        "kind": scaling.get("rope_type", scaling.get("type")),
        "off_by": (got - wanted).abs().mean().item(),
        "same_words": (got.argmax(-1) == wanted.argmax(-1)).float().mean().item(),
    }


def proportional() -> dict[str, Any]:
    """Read a checkpoint of 2026."""
    save("saved", rope_parameters=PROPORTIONAL)
    return {"frequencies": int((read("saved").model.rotary_emb.inv_freq > 0).sum())}


def longrope() -> dict[str, Any]:
    """Read the config of a Phi-3."""
    return {"kind": phi3("saved").rope_scaling["type"]}


def partial() -> dict[str, Any]:
    """Read the config of a Phi-4 mini, which turns three quarters of each head."""
    return {"factors": len(phi3("saved", **PARTIAL).rope_scaling["short_factor"])}


def asked() -> dict[str, Any]:
    """Ask the page whether the installed transformers knows the RoPE of the folder."""
    save("saved", rope_scaling=LLAMA3)
    return {"found": bool(snippet("too-old", folder="saved")["too_old"])}


def ask_of_usual_types() -> dict[str, Any]:
    """Ask the same of models as they are published, and of what this release writes itself."""
    from transformers import Gemma3TextConfig  # no older release of these steps has it

    folder = Path("usual")
    folder.mkdir()
    mrope = {"type": "mrope", "mrope_section": [2, 3, 3]}
    su = {"type": "su", "short_factor": [1.0] * 16, "long_factor": [1.0] * 16}
    published: list[dict[str, Any]] = [
        {"model_type": "qwen2_vl", "rope_scaling": mrope},
        {"model_type": "phi3", "rope_scaling": su},
        {"model_type": "qwen2", "rope_scaling": {"type": "yarn", "factor": 4.0}},
        {"model_type": "llama", "rope_scaling": None},
        Gemma3TextConfig(**SIZE).to_dict(),
        {"model_type": "gemma3", "text_config": Gemma3TextConfig(**SIZE).to_dict()},
    ]
    found = 0
    for config in published:
        (folder / "config.json").write_text(json.dumps(config))
        found += bool(snippet("too-old", folder=str(folder))["too_old"])
    return {"found": found > 0, "of": len(published)}
