"""A LoRA saved by a job that may not ask for the base model's configuration any more."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

from failure import gate
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

from fixbook.recipe import detect, snippet
from fixbook.recipe.helpers import local_hub, tiny_llama, tiny_lora

ONLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0"}


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
        try:
            snippet("saved", folder="adapter")
            message = ""
        except RuntimeError as error:
            message = str(error)
    kept = [name for name in load_file("adapter/adapter_model.safetensors") if "embed" in name]
    return {"found": bool(message), "embeddings": len(kept), "message": message}


@detect(found=True, env=ONLINE)
def saved_without_a_token() -> dict[str, Any]:
    """The new rows of the embedding are left out."""
    return save(token=False)


@detect(found=False, control="saved-without-a-token", env=ONLINE)
def saved_with_a_token() -> dict[str, Any]:
    """They are saved."""
    return save(token=True)


@detect(found=False, control="saved-without-a-token", env=ONLINE)
def saved_when_told_to() -> dict[str, Any]:
    """They are saved without asking."""
    return save(token=False, save_embedding_layers=True)
