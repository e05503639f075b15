"""What is measured: how far a model is from the one that was saved, and what trained."""

from __future__ import annotations

from typing import Any

import torch
from failure import (
    IDS,
    LAST,
    Own,
    backward,
    merged,
    offloaded,
    on_meta,
    state_dict,
    with_lora,
)
from safetensors import safe_open
from transformers import AutoModelForCausalLM

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama


def base(*, tied: bool = False) -> Any:
    """Save the model, and return it."""
    model = tiny_llama(tie_word_embeddings=tied).eval()
    model.save_pretrained("base")
    return model.to(device())


def check() -> Any:
    """Return the check that the page prints; new memory is filled with NaN from now on."""
    return snippet("without-data")["without_data"]


def logits(model: Any) -> torch.Tensor:
    """Return what a model says of a text."""
    with torch.no_grad():
        found: torch.Tensor = model.eval()(torch.tensor(IDS, device=model.device)).logits
        return found


def look(model: Any, right: Any) -> dict[str, Any]:
    """Compare with the model that was saved."""
    left = check()(model)
    mine, known = dict(model.named_parameters()), dict(right.named_parameters())
    buffers = dict(right.named_buffers())
    return {
        "found": bool(left),
        "left": left,
        "on_meta": sum(tensor.is_meta for tensor in [*mine.values(), *model.buffers()]),
        "right_weights": sum(bool(p.equal(known[name])) for name, p in mine.items()),
        "weights": len(mine),
        "wrong_buffers": sum(not b.allclose(buffers[n]) for n, b in model.named_buffers()),
        "same_logits": bool(logits(model).allclose(logits(right), atol=1e-5)),
    }


def moved(how: str, *, tied: bool = False) -> dict[str, Any]:
    """Load weights into a model that was built on meta, and move it; or load as printed."""
    right, without_data = base(tied=tied), check()
    if how in {"whole", "assign"}:
        given = {"folder": "base", "device": device(), "without_data": without_data}
        return look(snippet(how, **given)["model"], right)
    model = on_meta()
    if how == "emptied first":
        model.to_empty(device=device())
    said = str(model.load_state_dict(state_dict()))
    model = model.to_empty(device=device()) if how == "emptied instead" else model.to(device())
    return {"all_matched": "All keys matched" in said} | look(model, right)


def read(*, printed: bool = False) -> dict[str, Any]:
    """Take a weight out of an offloaded layer."""
    right = base().get_submodule(f"{LAST}.mlp.down_proj").weight
    layer = offloaded(device()).get_submodule(f"{LAST}.mlp.down_proj")
    weight = snippet("borrow", layer=layer)["weight"] if printed else layer.weight.cpu()
    return {"same": bool(weight.equal(right.cpu()))}


def loaded(*, offload: bool) -> Any:
    """Load with a layer on disk, or whole as printed."""
    given = {"folder": "base", "device": device()}
    return offloaded(device()) if offload else snippet("whole", **given)["model"]


def trained(*, offload: bool = True, lora: bool = False) -> dict[str, Any]:
    """Train one step."""
    base()
    without_data = check()
    model = loaded(offload=offload)
    left = without_data(model)
    model = with_lora(model) if lora else model
    every = sum(p.requires_grad for p in model.parameters())
    return {"found": bool(left), "weights": every, "without_gradient": backward(model)}


def merge(*, offload: bool = True) -> dict[str, Any]:
    """Load an adapter onto a base and merge it; measure what became of the base's file."""
    adapter = with_lora(base(), init_lora_weights=False)
    adapter.save_pretrained("adapter")
    right = adapter.merge_and_unload()
    try:
        model = merged(loaded(offload=offload))
    finally:
        with safe_open("base/model.safetensors", "pt") as file:
            names = list(file.keys())
        measure(names=len(names), renamed=sum(one.startswith("base_model.") for one in names))
        again = AutoModelForCausalLM.from_pretrained("base").to(device())
        measure(base_as_saved=bool(logits(again).allclose(logits(base()), atol=1e-5)))
    return {"same_logits": bool(logits(model).allclose(logits(right), atol=1e-5))}


def built(how: str = "") -> dict[str, Any]:
    """Load a model whose code computes something while it is built; or the one printed."""
    base()
    without_data = check()
    cls = snippet("own-init")["MyModel"] if how == "printed" else Own
    options = {} if how == "printed" else {"how": how}
    model = cls.from_pretrained("base", **options)
    left = without_data(model)
    return {
        "found": bool(left),
        "left": left,
        "scale": model.scale.tolist(),
        "steps": torch.as_tensor(model.steps).tolist(),
    }


def usual() -> dict[str, Any]:
    """Run the check on models that are as they should be."""
    without_data = check()
    models = []
    for tied in (False, True):
        base(tied=tied)
        models += [loaded(offload=False), with_lora(loaded(offload=False))]
    left = [name for model in models for name in without_data(model)]
    return {"found": bool(left), "models": len(models)}
