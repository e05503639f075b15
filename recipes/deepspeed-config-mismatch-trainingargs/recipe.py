"""A DeepSpeed file and TrainingArguments that disagree: the Trainer compares what both say."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0",
#     "deepspeed==0.19.8",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
from typing import Any

import deepspeed
from failure import arguments, train

from fixbook.recipe import detect, fix, main, measure, reproduce, snippet
from fixbook.recipe.helpers import join_gloo, tiny_llama

FILE = {
    "zero_optimization": {"stage": 2},
    "train_micro_batch_size_per_gpu": "auto",
    "gradient_accumulation_steps": "auto",
}
SETTINGS = {"gradient_accumulation_steps": 8, "learning_rate": 2e-5}


def prepare() -> None:
    """Do what ``accelerate launch`` does for one process without a GPU."""
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"
    join_gloo()
    deepspeed.init_distributed("gloo", auto_mpi_discovery=False)


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


@reproduce(on="cpu")
def differs() -> Any:
    """4 in the file, 8 in the arguments."""
    return run(gradient_accumulation_steps=4)


@fix("auto", control="differs", on="cpu")
def auto() -> Any:
    """The Trainer writes its own number into the file."""
    return run(gradient_accumulation_steps="auto")


@fix("same", control="differs", on="cpu")
def same_number() -> Any:
    """8 in both places."""
    return run(gradient_accumulation_steps=8)


@reproduce(on="cpu")
def quoted() -> Any:
    """The text "1.0" in the file, the number 1.0 in the arguments."""
    return run(gradient_clipping="1.0")


@fix("same", control="quoted", on="cpu")
def unquoted() -> Any:
    """The number without its quotes."""
    return run(gradient_clipping=1.0)


@fix("auto", control="quoted", on="cpu")
def auto_instead_of_quotes() -> Any:
    """Of all texts, "auto" is the one that is meant."""
    return run(gradient_clipping="auto")


@reproduce(on="cpu")
def quoted_steps() -> Any:
    """The text "8" as accumulation: accelerate divides by it before anything is compared."""
    return run(gradient_accumulation_steps="8")


@fix("same", control="quoted-steps", on="cpu")
def unquoted_steps() -> Any:
    """8 without its quotes."""
    return run(gradient_accumulation_steps=8)


@reproduce(on="cpu")
def rate_differs() -> Any:
    """Another learning rate in the file."""
    return run(optimizer=adam(lr=1e-4))


@fix("auto", control="rate-differs", on="cpu")
def rate_auto() -> Any:
    """The rate of the arguments is used."""
    return run(optimizer=adam(lr="auto"))


@detect(found=True, on="cpu")
def quoted_listed() -> Any:
    """The list shows equal numbers, the value its quotes."""
    return look(gradient_clipping="1.0")


@detect(found=False, control="quoted-listed", on="cpu")
def number_listed() -> Any:
    """Nothing to list."""
    return look(gradient_clipping=1.0)


@detect(found=True, on="cpu")
def rate_listed() -> Any:
    """Two learning rates."""
    return look(optimizer=adam(lr=1e-4))


@detect(found=False, control="rate-listed", on="cpu")
def rate_deleted() -> Any:
    """Nothing is listed where the rate was deleted, and another one is used."""
    return look(optimizer=adam())


@detect(found=False, on="cpu")
def auto_listed() -> Any:
    """The recommended fix: nothing to list."""
    return look(gradient_accumulation_steps="auto")


if __name__ == "__main__":
    main(__file__)
