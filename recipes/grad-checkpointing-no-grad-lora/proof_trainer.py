"""The Trainer of transformers 4, and of the release that ended it for tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import failure
import torch

from fixbook.recipe import fix, measure, non_fix, reproduce

LIBRARIES = ["datasets==4.8.4", "httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1", *LIBRARIES]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", "tokenizers==0.22.1", *LIBRARIES]
ONCE = "an older transformers beside the main one, imported anew"


def watch(model: Any) -> None:
    """Measure what the layers are told, each time that checkpointing is switched on."""
    layer, enable = model.base_model.model.model.layers[0], model.gradient_checkpointing_enable
    told = list[bool]()

    def enable_and_look(*arguments: Any, **keywords: Any) -> None:
        enable(*arguments, **keywords)
        told.append(layer._gradient_checkpointing_func.keywords["use_reentrant"])
        measure(first_reentrant=told[0], last_reentrant=told[-1], switched_on=len(told))

    model.gradient_checkpointing_enable = enable_and_look


def run(file: str = "before.yaml", **changes: Any) -> dict[str, int]:
    """Train two steps, and count the adapter's tensors that have changed."""
    model = failure.adapted()
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    watch(model)
    failure.under_trainer(model, str(Path(__file__).parent / "configs" / file), **changes)
    now = {name: p for name, p in model.named_parameters() if p.requires_grad}
    moved = sum(not torch.equal(before[name], p) for name, p in now.items())
    return {"moved": moved, "of": len(now)}


@reproduce(versions=LAST_4, record_once=ONCE)
def trainer_of_4_57() -> dict[str, int]:
    """Reentrant, and no hook for an adapter that PEFT has added."""
    return run()


@fix("not-reentrant", control="trainer-of-4-57", versions=LAST_4, record_once=ONCE)
def trainer_not_reentrant() -> dict[str, int]:
    """The setting in the arguments of the Trainer."""
    return run("after.yaml")


@fix("inputs-need-gradients", control="trainer-of-4-57", versions=LAST_4, record_once=ONCE)
def trainer_with_the_hook() -> dict[str, int]:
    """The hook makes the output of the embedding need a gradient."""
    return run(hooked=True)


@non_fix("set-on-the-model", control="trainer-of-4-57", versions=LAST_4, record_once=ONCE)
def set_on_the_model() -> dict[str, int]:
    """The Trainer switches checkpointing on once more, with its own arguments."""
    return run(by_hand=True)


@fix("transformers-5", control="trainer-of-4-57", versions=FIRST_5, record_once=ONCE)
def trainer_of_5_0() -> dict[str, int]:
    """The first release that adds the hook itself."""
    return run()
