"""What a checkpoint became: its class, the keys that did not fit, and its logits."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import torch
from failure import adapter, download, load, read

from fixbook.recipe import detect, fix, measure, non_fix, reproduce, snippet

BESIDE = ["tokenizers==0.21.4", "huggingface_hub==0.36.2"]
LAST_BAD = ["transformers==4.50.3", *BESIDE]
FIRST_GOOD = ["transformers==4.51.0", *BESIDE]
WITH_KEY_ERROR = ["transformers==4.31.0", "tokenizers==0.13.3", "huggingface_hub==0.16.4"]
ONCE = "an older transformers beside the main one, imported anew"
CODE = {"AutoConfig": "toy_model.ToyConfig", "AutoModelForCausalLM": "toy_model.ToyModel"}


def loaded(folder: str, **options: Any) -> dict[str, Any]:
    """Load a folder, and count the keys that did not fit."""
    model, info = load(folder, **options)
    return {
        "model": type(model).__name__,
        "missing": len(info["missing_keys"]),
        "unexpected": len(info["unexpected_keys"]),
    }


def qwen3() -> dict[str, Any]:
    """Load a Qwen3."""
    download("qwen", model_type="qwen3", transformers_version="4.51.0")
    return loaded("qwen")


def with_code(folder: str) -> None:
    """Write a checkpoint of the authors' own type, with their file beside the weights."""
    download(folder, model_type="toy_qwen", auto_map=CODE)
    shutil.copy(Path(__file__).with_name("toy_model.py"), folder)


def toy(*, code: bool = False, **options: Any) -> dict[str, Any]:
    """Load a checkpoint of the authors' own type, with their file beside it if ``code``."""
    if code:
        with_code("own")
    else:
        download("own", model_type="toy_qwen")
    if options:
        with_code("elsewhere")
        measure(with_code=loaded("elsewhere", **options)["model"])
    return loaded("own", **options)


def look(folder: str, *, base: bool = False) -> dict[str, Any]:
    """Read the config of an adapter's folder, or of that of a base model."""
    if base:
        download(folder, model_type="qwen3")
    else:
        adapter(folder)
    config = read(folder)
    return {"kind": config.model_type, "vocabulary": config.vocab_size}


@torch.no_grad()
def relabelled(kind: str) -> dict[str, Any]:
    """Load Qwen3's weights under this type, ask the page, and compare the logits."""
    download("qwen3", model_type="qwen3")
    download("other", model_type=kind)
    ids = torch.arange(64)[None]
    wanted = load("qwen3")[0](ids).logits
    model, info = load("other")
    got = model(ids).logits
    try:
        snippet("all-keys", folder="other")
    except RuntimeError as error:
        message = str(error)
    else:
        message = ""
    return {
        "found": bool(message),
        "message": message[:40],
        "misfits": len(info["missing_keys"]) + len(info["unexpected_keys"]),
        "off_by": (got - wanted).abs().mean().item(),
        "same_words": (got.argmax(-1) == wanted.argmax(-1)).float().mean().item(),
    }


def asked(kind: str) -> dict[str, Any]:
    """Ask the page's question of a folder."""
    download("asked", model_type=kind, transformers_version="4.51.0")
    return {"found": snippet("known", folder="asked")["unknown"]}


@reproduce(versions=WITH_KEY_ERROR, record_once=ONCE)
def qwen3_on_4_31() -> dict[str, Any]:
    """Of this release there is only the KeyError."""
    return qwen3()


@reproduce(versions=LAST_BAD, record_once=ONCE)
def qwen3_on_4_50() -> dict[str, Any]:
    """The last release without Qwen3."""
    return qwen3()


@fix("newer-transformers", control="qwen3-on-4-50", versions=FIRST_GOOD, record_once=ONCE)
def qwen3_on_4_51() -> dict[str, Any]:
    """The first one with it."""
    return qwen3()


@detect(found=True, versions=LAST_BAD, record_once=ONCE)
def asked_on_4_50() -> dict[str, Any]:
    """This release does not know the type."""
    return asked("qwen3")


@reproduce(versions=LAST_BAD, record_once=ONCE)
def adapter_on_4_50() -> dict[str, Any]:
    """A folder without config.json, and no name of a model in its own."""
    return look("run-7")


@non_fix("name-in-the-folder", control="adapter-on-4-50", versions=LAST_BAD, record_once=ONCE)
def named_folder() -> dict[str, Any]:
    """The name is enough for a config, with the sizes of another model."""
    return look("qwen2-run-7")
