"""Old code on old and new releases: what it generates, and which names the cache lacks."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import torch
from failure import generate, save
from proof_replaced import filled
from transformers import AutoModelForCausalLM, DynamicCache

from fixbook.recipe import measure, snippet

LENGTH = {".seen_tokens": ".get_seq_length()"}
SHAPE = {**LENGTH, ".get_max_length()": ".get_max_cache_shape()"}
NAMES = """seen_tokens _seen_tokens get_usable_length get_max_length get_max_cache_shape
key_cache value_cache"""


def run(
    edits: dict[str, str] | None = None,
    *,
    built_in: bool = False,
    updated: bool = False,
    cached: bool = True,
    names: bool = False,
) -> dict[str, Any]:
    """Generate with the model's code after ``edits``, and compare with transformers' own class."""
    save("model", edits or {})
    if updated:
        snippet("update", file="model/old_model.py")
    if edits and hasattr(DynamicCache, "get_max_cache_shape"):
        measure(limit=DynamicCache().get_max_cache_shape())
    wanted = generate(loaded("model", trust=False))
    if names:
        snippet("names-back")
    model = by_the_page() if built_in else loaded("model", trust=True)

    def by_line(inputs: Any) -> Any:
        return snippet("no-cache", model=model, inputs=inputs)["output"]

    got = generate(model, None if cached else by_line)
    same = [a == b for a, b in zip(got, wanted, strict=True)]
    return {"same_words": sum(same) / len(same)}


def loaded(folder: str, *, trust: bool) -> Any:
    """Load the model with its own code, or with transformers' class."""
    load: Any = AutoModelForCausalLM.from_pretrained
    return load(folder, trust_remote_code=trust)


def by_the_page() -> Any:
    """Load it by the page's line."""
    return snippet("built-in", AutoModelForCausalLM=AutoModelForCausalLM, path="model")["model"]


def checked(*, updated: bool) -> dict[str, Any]:
    """Run the page's check, after the page's update or after that of the length alone."""
    save("model", {} if updated else LENGTH)
    if updated:
        snippet("update", file="model/old_model.py")
    measure(limit=filled().get_max_length())
    model = loaded("model", trust=True)
    ids = torch.arange(1, 33).view(2, 16)
    ids[1, :4] = 0
    inputs = {"input_ids": ids, "attention_mask": (ids > 0).long()}
    try:
        snippet("agrees", model=model, inputs=inputs)
    except RuntimeError as error:
        return {"found": True, "message": str(error)}
    return {"found": False}


def asked() -> dict[str, Any]:
    """Ask the page which names of a file the installed cache lacks."""
    uses = [*NAMES.split(), "from_legacy_cache", "to_legacy_cache"]
    Path("modeling.py").write_text("\n".join(f"past_key_values.{name}" for name in uses))
    absent = snippet("absent", file="modeling.py")["absent"]
    return {
        "found": bool(absent),
        "absent": " ".join(absent),
        "by_index": hasattr(DynamicCache, "__getitem__"),
    }


def asked_of(*, built_in: bool = False) -> dict[str, Any]:
    """Ask the page about the file whose class is loaded."""
    save("model", {})
    model = by_the_page() if built_in else loaded("model", trust=True)
    absent = snippet("absent", file=inspect.getfile(type(model)))["absent"]
    return {"found": bool(absent), "absent": " ".join(absent)}
