"""What is measured: how far a model is from the one that was saved, and what trained."""

from __future__ import annotations

from typing import Any

import torch
from failure import IDS, LAST, backward, offloaded, on_meta, state_dict, with_lora

from fixbook.recipe import snippet
from fixbook.recipe.helpers import tiny_llama


def base(*, tied: bool = False) -> Any:
    """Save the model, and return it."""
    model = tiny_llama(tie_word_embeddings=tied).eval()
    model.save_pretrained("base")
    return model


def look(model: Any, right: Any) -> dict[str, Any]:
    """Compare with the model that was saved."""
    mine, known = dict(model.named_parameters()), dict(right.named_parameters())
    left = snippet("on-meta")["on_meta"](model)
    wrong = snippet("wrong-buffers")["wrong_buffers"](model)
    with torch.no_grad():
        same = model.eval()(IDS).logits.equal(right(IDS).logits)
    return {
        "on_meta": len(left),
        "right_weights": sum(bool(p.equal(known[name])) for name, p in mine.items()),
        "weights": len(mine),
        "wrong_buffers": len(wrong),
        "same_logits": bool(same),
        "found": bool(left or wrong),
    }


def empty(model: Any) -> Any:
    """Call to_empty; in torch's deterministic mode the memory it takes is filled with NaN."""
    torch.use_deterministic_algorithms(mode=True)
    try:
        return model.to_empty(device="cpu")
    finally:
        torch.use_deterministic_algorithms(mode=False)


def loaded(how: str, right: Any) -> dict[str, Any]:
    """Load as printed."""
    check = snippet("on-meta")["on_meta"]
    return look(snippet(how, folder="base", device="cpu", on_meta=check)["model"], right)


def moved(how: str) -> dict[str, Any]:
    """Load weights into a model that was built on meta, and move it; or load as printed."""
    right = base()
    if how == "whole":
        return loaded(how, right)
    if how == "assign":
        seen = loaded(how, right)
        return seen | {"same_logits_tied": loaded(how, base(tied=True))["same_logits"]}
    model = empty(on_meta()) if how == "emptied first" else on_meta()
    said = str(model.load_state_dict(state_dict()))
    model = empty(model) if how == "emptied instead" else model.to("cpu")
    return {"all_matched": "All keys matched" in said} | look(model, right)


def read(*, printed: bool = False) -> dict[str, Any]:
    """Take a weight out of an offloaded layer."""
    right = base().get_submodule(f"{LAST}.mlp.down_proj").weight
    layer = offloaded().get_submodule(f"{LAST}.mlp.down_proj")
    weight = snippet("borrow", layer=layer)["weight"] if printed else layer.weight.cpu()
    return {"same": bool(weight.equal(right))}


def trained(*, offload: bool = True, lora: bool = False) -> dict[str, Any]:
    """Train one step."""
    base()
    model = offloaded() if offload else snippet("whole", folder="base", device="cpu")["model"]
    left = len(snippet("on-meta")["on_meta"](model))
    model = with_lora(model) if lora else model
    every = sum(p.requires_grad for p in model.parameters())
    return {"found": left > 0, "weights": every, "without_gradient": backward(model)}
