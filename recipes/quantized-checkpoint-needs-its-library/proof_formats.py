"""Which library is there, what comes of loading, and how far the output is off."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch
from failure import base, load, save

from fixbook.recipe import measure, snippet

PACKAGES = ["transformers", "autoawq", "optimum", "gptqmodel", "compressed-tensors"]


def installed() -> None:
    """Measure which of the libraries are there."""
    for name in PACKAGES:
        try:
            measure(**{name.replace("-", "_"): version(name)})
        except PackageNotFoundError:
            continue


def outcome(model: Any) -> dict[str, Any]:
    """Say what was loaded, and how far its output is from the original's."""
    ids = torch.arange(16)[None]
    layer = model.model.layers[0].mlp.up_proj
    kept = layer.qweight if hasattr(layer, "qweight") else layer.weight
    weights = str(kept.dtype)  # the first forward may decompress them
    with torch.no_grad():
        wanted, got = base()(ids).logits, model(ids).logits
    off = float((wanted - got).norm() / wanted.norm())
    return {"layer": type(layer).__name__, "weights": weights, "off": off}


def run(kind: str, how: str = "") -> dict[str, Any]:
    """Load the quantized checkpoint, or do what the page or a thread says instead."""
    save(kind)
    installed()
    if how == "original":
        return outcome(snippet("original", folder="original")["model"])
    if how == "dequantize":
        return outcome(snippet("dequantize", folder="quantized")["model"])
    if how == "strip":
        strip()
    return outcome(load())


def strip() -> None:
    """Delete quantization_config from config.json."""
    path = Path("quantized", "config.json")
    config = json.loads(path.read_text())
    del config["quantization_config"]
    path.write_text(json.dumps(config))
    measure(said="quantization_config" in json.loads(path.read_text()))


def looked(kind: str, *, folder: str = "quantized") -> dict[str, Any]:
    """Let the page's lines look."""
    save(kind)
    installed()
    missing = snippet("look", folder=folder)["missing"]
    return {"found": bool(missing), "missing": ", ".join(missing)}
