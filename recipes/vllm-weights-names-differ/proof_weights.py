"""Checkpoints that training leaves, what the page does to them, and what vLLM has loaded."""

from __future__ import annotations

import contextlib
import io
import shutil
from pathlib import Path
from typing import Any

import torch
from failure import LORA, load, original, save, trained
from safetensors.torch import load_file

from fixbook.recipe import measure, snippet

Weights = dict[str, torch.Tensor]


def with_prefix(prefix: str) -> Weights:
    """Return the weights as a wrapper names them."""
    return {prefix + name: weight for name, weight in original().state_dict().items()}


def write(kind: str) -> None:
    """Write a checkpoint to MODEL."""
    if kind == "peft":
        save(trained().state_dict())
    elif kind == "lora removed":
        save(
            {
                name.removeprefix("base_model.model.").replace(".base_layer", ""): weight
                for name, weight in trained().state_dict().items()
                if "lora_" not in name
            }
        )
    elif kind == "adapter beside":
        model = trained()
        save(load_file("ORIGINAL/model.safetensors"))
        model.save_pretrained("MODEL")
    elif kind == "value head":
        save(original().state_dict() | {"v_head.summary.weight": torch.zeros(1, 64)})
    elif kind == "body":
        save(original().model.state_dict())
    elif kind.startswith("without "):
        part = kind.removeprefix("without ")
        save({name: w for name, w in original().state_dict().items() if part not in name})
    else:
        save(with_prefix(kind))


def look() -> dict[str, Any]:
    """Ask the page's question."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        done = snippet("compare")
    return {"said": said.getvalue().strip(), "found": bool(done["extra"] or done["missing"])}


def distance(model: Any, weights: Weights) -> float:
    """Return how far the first q_proj that vLLM holds is from this one."""
    held = dict(model.named_parameters())["model.layers.0.self_attn.qkv_proj.weight"]
    wanted = weights["model.layers.0.self_attn.q_proj.weight"]
    return float((held[: wanted.shape[0]].float() - wanted.float()).abs().max())


def nothing() -> str:
    """Mend nothing."""
    return "MODEL"


def rename() -> str:
    """Run the page's lines, which save under the names of the model."""
    snippet("rename")
    return "MODEL-fixed"


def merge() -> str:
    """Run the page's lines, which merge the adapter."""
    snippet("merge", lora=LORA)
    return "MODEL-fixed"


def save_all() -> str:
    """Save all weights, as transformers does."""
    original().save_pretrained("MODEL")
    return "MODEL"


def move() -> str:
    """Move the adapter to a folder of its own."""
    Path("ADAPTER").mkdir()
    for path in Path("MODEL").glob("adapter_*"):
        shutil.move(path, "ADAPTER")
    return "MODEL"


def attempt(kind: str, mend: Any = nothing) -> dict[str, Any]:
    """Write a checkpoint, mend it or not, and let vLLM load it."""
    write(kind)
    folder = mend()
    if folder != "MODEL":
        shutil.rmtree("MODEL")
        Path(folder).rename("MODEL")
    seen = look()
    measure(**seen)
    model = load("MODEL")
    return {
        "to_original": distance(model, load_file("ORIGINAL/model.safetensors")),
        "to_trained": distance(model, trained().merge_and_unload().state_dict()),
    }


def seen(kind: str, mend: Any = nothing) -> dict[str, Any]:
    """Ask the page's question alone."""
    write(kind)
    folder = mend()
    if folder != "MODEL":
        shutil.rmtree("MODEL")
        Path(folder).rename("MODEL")
    return look()
