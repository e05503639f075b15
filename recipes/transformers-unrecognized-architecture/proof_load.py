"""What a checkpoint became: its class, the keys that did not fit, and its logits."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from failure import adapter, download, load, read

from fixbook.recipe import measure, snippet

CODE = {"AutoConfig": "toy_model.ToyConfig", "AutoModelForCausalLM": "toy_model.ToyModel"}


def loaded(folder: str, **options: Any) -> dict[str, Any]:
    """Load a folder, and count the keys that did not fit."""
    return counted(*load(folder, **options))


def counted(model: Any, info: Any) -> dict[str, Any]:
    """Say what was loaded."""
    return {
        "model": type(model).__name__,
        "missing": len(info["missing_keys"]),
        "unexpected": len(info["unexpected_keys"]),
    }


def qwen3() -> dict[str, Any]:
    """Load a Qwen3."""
    download("qwen", model_type="qwen3", transformers_version="4.51.0")
    return loaded("qwen")


def early(*, write: bool = False, by_class: bool = False) -> dict[str, Any]:
    """Load a whole model whose config.json has no type; ``write``: put it in as the page does."""
    download("early-model")
    if write:
        snippet("write-type", folder="early-model", kind="qwen3")
    if by_class:
        import transformers

        whole: Any = transformers.Qwen3ForCausalLM
        model, info = whole.from_pretrained("early-model", output_loading_info=True)
        return counted(model, info)
    return loaded("early-model")


def with_code(folder: str) -> None:
    """Write a checkpoint of the authors' own type, with their file beside the weights."""
    download(folder, model_type="toy_qwen", auto_map=CODE)
    shutil.copy(Path(__file__).with_name("toy_model.py"), folder)


def toy(*, printed: bool = False, **options: Any) -> dict[str, Any]:
    """Load a checkpoint of the authors' own type; ``printed``: their file beside it, as printed."""
    if printed:
        with_code("own")
        return {"model": type(snippet("with-their-code", folder="own")["model"]).__name__}
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
    return {"kind": read(folder).model_type}


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


def ask_of_usual_types() -> dict[str, Any]:
    """Ask it of types that this release has."""
    kinds = ("llama", "qwen3_moe", "gemma3", "qwen2_5_vl", "deepseek_v3", "mistral", "bert", "t5")
    found = 0
    for kind in kinds:
        folder = Path(kind)
        folder.mkdir()
        (folder / "config.json").write_text(json.dumps({"model_type": kind}))
        found += bool(snippet("known", folder=kind)["unknown"])
    return {"found": found > 0, "of": len(kinds)}
