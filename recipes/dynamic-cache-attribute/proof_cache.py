"""Old code on old and new releases: what it generates, and which names the cache lacks."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import torch
from failure import generate, save
from proof_replaced import same_length, same_tensors
from transformers import AutoModelForCausalLM, DynamicCache

from fixbook.recipe import detect, fix, measure, non_fix, reproduce, snippet

BESIDE = ["huggingface_hub==0.36.2", "tokenizers==0.21.4"]
LATE = ["huggingface_hub==0.36.2", "tokenizers==0.22.1"]
HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
V4_48 = ["transformers==4.48.3", *BESIDE]
V4_49 = ["transformers==4.49.0", *BESIDE]
V4_53 = ["transformers==4.53.3", *BESIDE]
V4_54 = ["transformers==4.54.0", *BESIDE]
V4_55 = ["transformers==4.55.4", *BESIDE]
V4_56 = ["transformers==4.56.0", *LATE]
V4_57 = ["transformers==4.57.6", *LATE]
V5_0 = ["transformers==5.0.0", "tokenizers==0.22.1", "huggingface_hub==1.17.0", *HTTP]
ONCE = "an older transformers beside the main one, imported anew"
LENGTH = {".seen_tokens": ".get_seq_length()"}
SHAPE = {**LENGTH, ".get_max_length()": ".get_max_cache_shape()"}
NAMES = "seen_tokens get_usable_length get_max_length get_max_cache_shape key_cache value_cache"


def run(
    edits: dict[str, str] | None = None, *, trust: bool = True, updated: bool = False
) -> dict[str, Any]:
    """Generate with the model's code after ``edits``, and compare with transformers' own class."""
    save("model", edits or {})
    if updated:
        snippet("update", file="model/old_model.py")
    if edits and hasattr(DynamicCache, "get_max_cache_shape"):
        measure(limit=DynamicCache().get_max_cache_shape())
    got = generate("model", trust_remote_code=trust)
    wanted = generate("model", trust_remote_code=False)
    same = [a == b for a, b in zip(got, wanted, strict=True)]
    return {"same_words": sum(same) / len(same)}


def checked(*, updated: bool) -> dict[str, Any]:
    """Run the page's check, after the page's update or after that of the length alone."""
    save("model", {} if updated else LENGTH)
    if updated:
        snippet("update", file="model/old_model.py")
    model: Any = AutoModelForCausalLM.from_pretrained("model", trust_remote_code=True)
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


def asked_of(*, trust: bool) -> dict[str, Any]:
    """Ask the page about the file whose class is loaded."""
    save("model", {})
    model: Any = AutoModelForCausalLM.from_pretrained("model", trust_remote_code=trust)
    absent = snippet("absent", file=inspect.getfile(type(model)))["absent"]
    return {"found": bool(absent), "absent": " ".join(absent)}


@reproduce(versions=V4_49, record_once=ONCE)
def old_code_on_4_49() -> dict[str, Any]:
    """The first release without get_max_length."""
    return run()


@fix("older-transformers", control="old-code-on-4-49", versions=V4_48, record_once=ONCE)
def old_code_on_4_48() -> dict[str, Any]:
    """The last one with all that the code asks for."""
    return run()


@reproduce(versions=V4_54, record_once=ONCE)
def old_code_on_4_54() -> dict[str, Any]:
    """The first release without seen_tokens."""
    return run()


@fix("update-the-code", control="old-code-on-4-54", versions=V4_54, record_once=ONCE)
def updated_on_4_54() -> dict[str, Any]:
    """The page's changes to the model's file."""
    return run(updated=True)


@non_fix("max-cache-shape", control="old-code-on-4-54", versions=V4_54, record_once=ONCE)
def cache_shape_on_4_54() -> dict[str, Any]:
    """The new name says -1 where the old one said None."""
    return run(SHAPE)


@detect(found=False, control="asked-on-4-49", versions=V4_48, record_once=ONCE)
def asked_on_4_48() -> dict[str, Any]:
    """Nothing is absent."""
    return asked()


@detect(found=True, versions=V4_49, record_once=ONCE)
def asked_on_4_49() -> dict[str, Any]:
    """get_max_length went first."""
    return asked()


@detect(found=True, versions=V4_53, record_once=ONCE)
def asked_on_4_53() -> dict[str, Any]:
    """No other yet; what replaces get_usable_length is there beside it."""
    return {**asked(), "same": same_length()}


@detect(found=True, versions=V4_54, record_once=ONCE)
def asked_on_4_54() -> dict[str, Any]:
    """Then the lengths."""
    return asked()


@detect(found=True, versions=V4_55, record_once=ONCE)
def asked_on_4_55() -> dict[str, Any]:
    """The lists of tensors are still there, beside the layers that replace them."""
    return {**asked(), "same": same_tensors()}


@detect(found=True, versions=V4_56, record_once=ONCE)
def asked_on_4_56() -> dict[str, Any]:
    """Then they went."""
    return asked()


@detect(found=True, versions=V4_57, record_once=ONCE)
def asked_on_4_57() -> dict[str, Any]:
    """Tuples still go in and out."""
    return asked()


@detect(found=True, versions=V5_0, record_once=ONCE)
def asked_on_5_0() -> dict[str, Any]:
    """Then they went, and the index with them."""
    return asked()
