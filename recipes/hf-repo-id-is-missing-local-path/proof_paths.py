"""A model, an adapter or a file of a folder, asked for by a path."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import huggingface_hub
from failure import CHECKPOINT, load, save, weight
from huggingface_hub import HfFileSystem, hf_hub_download
from transformers import AutoModelForCausalLM

from fixbook.recipe import measure, run_snippet, snippet
from fixbook.recipe.helpers import local_hub

ADAPTER = "saves/run-1/lora"


def attempt(
    path: str = CHECKPOINT, saved: str = "", *, as_printed: bool = False, **options: Any
) -> dict[str, Any]:
    """Load a model by its path.

    Args:
        path: What the script was given.
        saved: Where the model lies, if anywhere.
        as_printed: Load with the page's lines.
        **options: Of ``from_pretrained``.
    """
    os.environ["HOME"] = str(Path.cwd())
    mine = weight(load(str(save(saved)))) if saved else 0.0
    measure(
        absolute=Path(path).is_absolute(),
        offline=huggingface_hub.constants.HF_HUB_OFFLINE,
        options=", ".join(options),
    )
    model = read(path) if as_printed else load(path, **options)
    return {"found": weight(model) != mine}


def read(path: str) -> Any:
    """Load a model with the lines of the page."""
    return snippet("load", path=path, AutoModelForCausalLM=AutoModelForCausalLM)["model"]


def looks_missing(path: str) -> str:
    """Ask the page's check for a path: what it raises, if anything."""
    try:
        snippet("look", path=path)
    except FileNotFoundError as error:
        return str(error)
    return ""


def check_sound() -> dict[str, Any]:
    """Ask the page's check for folders that load: of a model, of an adapter, with a tilde."""
    os.environ["HOME"] = str(Path.cwd())
    save(CHECKPOINT)
    save("models/mine")
    save_adapter()
    paths = (
        CHECKPOINT,
        "~/models/mine",
        f"{ADAPTER}/checkpoint-500",
        str(Path(CHECKPOINT).absolute()),
    )
    return {"found": any(map(looks_missing, paths)), "asked": len(paths)}


def save_adapter() -> Any:
    """Save an adapter as a run does, in a folder of its last step, and return the base."""
    from peft import LoraConfig, get_peft_model

    base = load(str(save("base")))
    config = LoraConfig(task_type="CAUSAL_LM", target_modules=["q_proj"])
    get_peft_model(base, config).save_pretrained(f"{ADAPTER}/checkpoint-500")
    return load("base")


def adapt(*, searched: bool = False) -> dict[str, Any]:
    """Load the adapter from the folder above it, or from the one that the page's line prints."""
    from peft import PeftModel

    base = save_adapter()
    folder = ADAPTER
    if searched:
        folder = str(Path(run_snippet("adapter").stdout.strip()).parent)
    model = PeftModel.from_pretrained(base, folder)
    layers = sum("lora_A" in name for name, _ in model.named_parameters())
    return {"found": False, "layers": layers, "folder": Path(folder).name}


def read_config(way: str) -> dict[str, Any]:
    """Read a folder that is there: by the ``hub``, by its ``filesystem``, as a ``file``."""
    folder = save(CHECKPOINT)
    if way == "filesystem":
        return {"files": len(HfFileSystem().glob(f"{folder}/*.json"))}
    path = hf_hub_download(str(folder), "config.json") if way == "hub" else folder / "config.json"
    return {"bytes": Path(path).stat().st_size}


def elsewhere(folder: str) -> dict[str, Any]:
    """Load team/model from a folder, while the Hub has a model of that name."""
    mine = weight(load(str(save("here/team/model"))))
    theirs = save("hub", seed=1)
    Path(folder).mkdir(exist_ok=True)
    os.chdir(folder)
    with local_hub({"team/model": theirs}) as asked:
        model = load("team/model")
    measure(requests=len([line for line in asked if "team/model" in line]))
    missing = looks_missing("team/model")
    return {"found": weight(model) != mine and bool(missing), "mine": weight(model) == mine}
