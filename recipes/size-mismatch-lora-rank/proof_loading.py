"""An adapter of rank 16, and what a model has of it once it was resumed or loaded."""

from __future__ import annotations

from typing import Any

import torch
from failure import IDS, LABELS, SAVED, adapted, base, config, edit_config, load, train
from peft import set_peft_model_state_dict
from safetensors.torch import load_file

from fixbook.recipe import device, snippet
from fixbook.recipe.helpers import tiny_llama


def trained(**settings: Any) -> float:
    """Train an adapter, of rank 16 unless told otherwise, and return its loss."""
    tiny_llama().save_pretrained("base")
    return loss_of(train(adapted(config(**settings))))


def loss_of(model: Any) -> float:
    """Return the loss on what was trained."""
    with torch.no_grad():
        ids, labels = IDS.to(device()), LABELS.to(device())
        return float(model.eval()(input_ids=ids, labels=labels).loss)


def resumed(printed: str = "", **changes: Any) -> dict[str, Any]:
    """Resume at the last step: nothing is trained any more, so only the loading shows."""
    known, settings = trained(), config(**changes)
    if printed:
        model = snippet(printed, base=base(), settings=settings)["model"]
    else:
        model = adapted(settings)
    other = snippet("other-settings")["other_settings"](model, SAVED)
    model = model if printed == "new-rank" else train(model, resume=SAVED)
    rank = model.peft_config["default"].r
    return {"found": bool(other), "r": rank, "off_by": abs(loss_of(model) - known)}


def resumed_as_saved(**settings: Any) -> dict[str, Any]:
    """Train and resume with the same settings."""
    known, model = trained(**settings), adapted(config(**settings))
    other = snippet("other-settings")["other_settings"](model, SAVED)
    return {"found": bool(other), "off_by": abs(loss_of(train(model, resume=SAVED)) - known)}


def put_in(printed: str = "", **changes: Any) -> dict[str, Any]:
    """Build the model first and put the weights in afterwards, as many scripts do."""
    known, settings = trained(), config(**changes)
    if printed:
        model = snippet(printed, base=base(), settings=settings)["model"]
    else:
        model = adapted(settings)
    set_peft_model_state_dict(model, load_file(f"{SAVED}/adapter_model.safetensors"))
    return {"r": model.peft_config["default"].r, "off_by": abs(loss_of(model) - known)}


def loaded(*, ignore: bool = False, printed: str = "", **edits: Any) -> dict[str, Any]:
    """Load the adapter after ``edits`` to the configuration beside its weights."""
    known = trained()
    edit_config(**edits)
    if printed:
        snippet(printed)
    return _compared(load(ignore=ignore), known)


def loaded_as_saved(**settings: Any) -> dict[str, Any]:
    """Load an adapter that was saved with these settings."""
    known = trained(**settings)
    return _compared(load(), known)


def _compared(model: Any, known: float) -> dict[str, Any]:
    left_out = snippet("not-loaded")["not_loaded"](model, SAVED)
    loss = loss_of(model)
    off_base = abs(loss - loss_of(base()))
    return {
        "found": bool(left_out),
        "left_out": len(left_out),
        "off_by": abs(loss - known),
        "off_base": off_base,
    }


def loaded_by_transformers(**edits: Any) -> dict[str, Any]:
    """Load the adapter with transformers' own function, which prints a table."""
    trained()
    edit_config(**edits)
    base().load_adapter(SAVED)
    return {}
