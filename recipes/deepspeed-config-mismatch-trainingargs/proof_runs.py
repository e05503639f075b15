"""Train, or list the mismatches, with what is written in the DeepSpeed file."""

from __future__ import annotations

import os
from typing import Any

import deepspeed
from failure import arguments, train

from fixbook.recipe import backend, measure, snippet
from fixbook.recipe.helpers import join_ranks, tiny_llama

FILE = {
    "zero_optimization": {"stage": 2},
    "train_micro_batch_size_per_gpu": "auto",
    "gradient_accumulation_steps": "auto",
}
SETTINGS = {"gradient_accumulation_steps": 8, "learning_rate": 2e-5}


def prepare() -> None:
    """Do what ``accelerate launch`` does for one process."""
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"
    join_ranks()
    deepspeed.init_distributed(backend(), auto_mpi_discovery=False)


def adam(**rate: Any) -> dict[str, Any]:
    """Return an optimizer as a DeepSpeed file names it."""
    return {"type": "AdamW", "params": {"torch_adam": True, **rate}}


def run(**written: Any) -> dict[str, Any]:
    """Train with what is written in the file, and return what DeepSpeed then uses."""
    prepare()
    trainer = train(tiny_llama(), FILE | written, **SETTINGS)
    engine: Any = trainer.model_wrapped
    return {
        "accumulation": engine.gradient_accumulation_steps(),
        "clipping": engine.gradient_clipping(),
        "rate": engine.optimizer.param_groups[0]["initial_lr"],
    }


def look(**written: Any) -> dict[str, Any]:
    """List the mismatches as the page does; where there are none, train."""
    prepare()
    made = arguments(FILE | written, **SETTINGS)
    seen = snippet("list", args=made)
    measure(mismatches=seen["mismatches"], value=repr(seen["value"]))
    if seen["mismatches"]:
        return {"found": True}
    engine: Any = train(tiny_llama(), FILE | written, **SETTINGS).model_wrapped
    return {"found": False, "rate": engine.optimizer.param_groups[0]["initial_lr"]}
