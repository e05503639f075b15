"""Whether a loaded adapter changes anything, and whether anybody says so."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any

import peft
import torch
from failure import load, text_alone, trained, with_vision
from transformers import LlamaForCausalLM

from fixbook.recipe import device, measure, snippet

SAID = "Found missing adapter keys"


@torch.no_grad()
def logits(model: Any) -> Any:
    """Return what follows a text."""
    return model(input_ids=torch.arange(3, 19).reshape(2, 8).to(device())).logits


def measured(model: Any, wanted: Any = None) -> None:
    """Compare with the base model, and with the class that was trained."""
    got = logits(model)
    with model.disable_adapter():
        measure(moved=(got - logits(model)).abs().max().item())
    if wanted is not None:
        measure(off_by=(got - wanted).abs().max().item())


def loaded(*, same_class: bool = False, renamed: bool = False) -> dict[str, Any]:
    """Load the adapter of the vision-language class into one class or the other."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        wanted = logits(trained(with_vision(), Path(folder)))
        model = with_vision() if same_class else text_alone(with_vision())
        if renamed:
            names = {"PeftModel": Renaming, "base": model, "folder": folder}
            model = snippet("renamed", **names)["model"]
        else:
            model = load(model, Path(folder))
        measured(model, wanted)
    said = [str(one.message) for one in seen if SAID in str(one.message)]
    return {"found": bool(said)}


def by_hand_of_transformers() -> dict[str, Any]:
    """Load it by transformers, without PEFT's classes around the model."""
    with tempfile.TemporaryDirectory() as folder:
        trained(with_vision(), Path(folder))
        model = text_alone(with_vision()).eval()
        before = logits(model)
        model.load_adapter(folder)
    moved = (logits(model.eval()) - before).abs().max().item()
    return {"found": moved == 0, "moved": moved}


class Renaming:
    """Hand the call of the page on."""

    @staticmethod
    def from_pretrained(base: Any, folder: str, **named: Any) -> Any:
        """Load as the page says."""
        return load(base, Path(folder), **named)


def stopped() -> None:
    """Load it with the filter of the page."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        trained(with_vision(), Path(folder))
        snippet("strict", warnings=warnings)
        load(text_alone(with_vision()), Path(folder))


def second() -> dict[str, Any]:
    """Load it as a second adapter, and ask the result as the page does."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        trained(with_vision(), Path(folder) / "first")
        model = load(text_alone(with_vision()), Path(folder) / "first")
        del seen[:]
        result = model.load_adapter(str(Path(folder) / "first"), "second")
        model.set_adapter("second")
        measured(model)
        measure(warned=any(SAID in str(one.message) for one in seen))
    return {"found": bool(result.missing_keys)}


def older() -> dict[str, Any]:
    """Load it by an older PEFT."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        whole = with_vision()
        trained(whole, Path(folder))
        measured(load(LlamaForCausalLM(whole.config.text_config).to(device()), Path(folder)))
    measure(warned=any(SAID in str(one.message) for one in seen), peft=peft.__version__)
    return {"found": any(SAID in str(one.message) for one in seen)}
