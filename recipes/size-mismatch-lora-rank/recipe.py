"""LoRA weights of one rank, and a model or a configuration with another; and what is silent."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2", "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
from failure import IDS, LABELS, SAVED, adapted, config, edit_config, load, train
from transformers import AutoModelForCausalLM

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet
from fixbook.recipe.helpers import tiny_llama


def trained() -> float:
    """Train an adapter of rank 16, and return its loss."""
    tiny_llama().save_pretrained("base")
    return loss_of(train(adapted(config())))


def loss_of(model: Any) -> float:
    """Return the loss on what was trained."""
    with torch.no_grad():
        return float(model.eval()(input_ids=IDS, labels=LABELS).loss)


def base() -> Any:
    """Read the base."""
    return AutoModelForCausalLM.from_pretrained("base")


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


def loaded(*, ignore: bool = False, printed: str = "", **edits: Any) -> dict[str, Any]:
    """Load the adapter after ``edits`` to the configuration beside its weights."""
    known = trained()
    edit_config(**edits)
    if printed:
        snippet(printed)
    model = load(ignore=ignore)
    left_out = snippet("not-loaded")["not_loaded"](model, SAVED)
    loss = loss_of(model)
    off_base = abs(loss - loss_of(base()))
    return {
        "found": bool(left_out),
        "left_out": len(left_out),
        "off_by": abs(loss - known),
        "off_base": off_base,
    }


@reproduce()
def resumed_with_another_rank() -> dict[str, Any]:
    """The checkpoint has rank 16, the model 8."""
    return resumed(r=8)


@reproduce()
def configuration_of_another_run() -> dict[str, Any]:
    """The weights have rank 16, adapter_config.json says 8."""
    return loaded(r=8)


@reproduce()
def loaded_by_transformers() -> dict[str, Any]:
    """The same with load_adapter, which prints a table."""
    trained()
    edit_config(r=8)
    base().load_adapter(SAVED)
    return {}


@fix("settings-of-the-checkpoint", control="resumed-with-another-rank")
def resumed_with_its_settings() -> dict[str, Any]:
    """The model is made from the checkpoint's own settings."""
    return resumed("own-settings", r=8)


@fix("new-rank", control="resumed-with-another-rank")
def merged_then_another_rank() -> dict[str, Any]:
    """What was learnt goes into the weights, and an adapter of rank 8 begins on top."""
    return resumed("new-rank", r=8)


@fix("rank-of-the-file", control="configuration-of-another-run")
def rank_read_off_the_file() -> dict[str, Any]:
    """The rank is written back into adapter_config.json."""
    return loaded(r=8, printed="rank-of-the-file")


@non_fix("ignore-sizes", control="configuration-of-another-run")
def sizes_ignored() -> dict[str, Any]:
    """No weight of the adapter is loaded."""
    return loaded(r=8, ignore=True)


@detect(found=True)
def resumed_with_another_alpha() -> dict[str, Any]:
    """Every shape is the same."""
    return resumed(alpha=8)


@detect(found=False, control="resumed-with-another-alpha")
def resumed_with_the_same() -> dict[str, Any]:
    """As it was saved."""
    return resumed()


@detect(found=True)
def loaded_with_fewer_modules() -> dict[str, Any]:
    """What was learnt in down_proj has no place."""
    return loaded(target_modules=["q_proj", "v_proj"])


@detect(found=False, control="loaded-with-fewer-modules")
def loaded_with_all_modules() -> dict[str, Any]:
    """As it was saved."""
    return loaded(target_modules=["q_proj", "v_proj", "down_proj"])


if __name__ == "__main__":
    main(__file__)
