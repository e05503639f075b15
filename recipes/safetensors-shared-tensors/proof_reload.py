"""What a file holds and what comes back from it, and what is left out of it without a word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from failure import shared, tied_by_hand

from fixbook.recipe import detect, snippet
from fixbook.recipe.helpers import tiny_llama

IDS = torch.arange(4, 12).view(1, 8)


def apart(model: Any, loaded: Any) -> float:
    """Return how far the logits of two models are apart."""
    return float((model(IDS).logits - loaded(IDS).logits).abs().max())


def written() -> list[str]:
    """List the files of weights."""
    return sorted(path.name for path in Path("saved").glob("*model*"))


def copies(model: Any) -> dict[str, Any]:
    """Return a state dict in which nothing is shared."""
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def keep(model: Any, *, copied: bool = False, **options: Any) -> dict[str, Any]:
    """Save with transformers, load what was saved, and compare."""
    if copied:
        options["state_dict"] = copies(model)
    model.save_pretrained("saved", **options)
    loaded = type(model).from_pretrained("saved")
    first, second = loaded.model.layers
    return {
        "files": written(),
        "bytes": sum(path.stat().st_size for path in Path("saved").glob("*model*")),
        "off_by": apart(model, loaded),
        "shared": first.mlp.down_proj.weight is second.mlp.down_proj.weight,
    }


def reload(*, said: bool) -> dict[str, Any]:
    """Save a model whose head was tied by hand, and load it as the page does."""
    model = tied_by_hand(said=said)
    model.save_pretrained("saved")
    done = snippet("reload", path="saved")
    missing = sorted(done["info"]["missing_keys"])
    return {"found": bool(missing), "missing": missing, "off_by": apart(model, done["model"])}


@detect(found=True)
def tied_by_hand_alone() -> dict[str, Any]:
    """The head is left out of the file, and made anew on loading."""
    return reload(said=False)


@detect(found=False, control="tied-by-hand-alone")
def tied_and_said() -> dict[str, Any]:
    """The configuration ties it again."""
    return reload(said=True)


def names(model: Any) -> dict[str, Any]:
    """List what the page lists."""
    listed = snippet("names", model=model)["listed"]
    return {"found": bool(listed), "listed": listed}


@detect(found=True)
def names_the_layers() -> dict[str, Any]:
    """Both ties, the declared and the other."""
    return names(shared())


@detect(found=False, control="names-the-layers")
def names_nothing() -> dict[str, Any]:
    """Every name has a tensor of its own."""
    return names(tiny_llama())
