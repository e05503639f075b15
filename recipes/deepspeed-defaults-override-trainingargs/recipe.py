"""Settings that a DeepSpeed file leaves out: its own defaults apply, not the Trainer's."""
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
import torch
from failure import train
from torch.nn.utils import parameters_to_vector

from fixbook.recipe import detect, fix, main, reproduce, snippet
from fixbook.recipe.helpers import join_gloo, tiny_llama

FILE = {
    "zero_optimization": {"stage": 2},
    "train_micro_batch_size_per_gpu": "auto",
    "zero_allow_untested_optimizer": True,
}
RATE = 1e-2


def sgd(**params: Any) -> dict[str, Any]:
    """Return an optimizer whose steps show the norm that gradients were clipped to."""
    return {"type": "SGD", "params": {"lr": "auto", "weight_decay": "auto", **params}}


def adam(**params: Any) -> dict[str, Any]:
    """Return an optimizer as most DeepSpeed files name it, with what they say of it."""
    return {"type": "AdamW", "params": {"torch_adam": True, **params}}


def run(guard: Any = None, *, limit: float = 1.0, **written: Any) -> dict[str, Any]:
    """Train for one step, and return what DeepSpeed used.

    Args:
        guard: The callback that checks the run, if any.
        limit: ``max_grad_norm``.
        **written: What the DeepSpeed file says beside the stage.
    """
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"
    join_gloo()
    deepspeed.init_distributed("gloo", auto_mpi_discovery=False)
    model = tiny_llama()
    before = parameters_to_vector(model.parameters()).detach()
    trainer = train(model, FILE | written, guard, learning_rate=RATE, max_grad_norm=limit)
    engine: Any = trainer.model_wrapped
    group = engine.optimizer.param_groups[0]
    moved = torch.dist(parameters_to_vector(model.parameters()).detach(), before)
    return {
        "found": engine.gradient_clipping() != limit,
        "clipping": engine.gradient_clipping(),
        "rate": group["initial_lr"],
        "decay": group["weight_decay"],
        "norm": float(moved) / RATE,
    }


def guarded(**changes: Any) -> dict[str, Any]:
    """Train with the callback of the page."""
    return run(snippet("assert")["AssertDeepSpeedFollows"], **changes)


@detect(found=True, on="cpu")
def nothing_is_said() -> Any:
    """The limit of 0.3 is not in force."""
    return run(limit=0.3, optimizer=sgd())


@detect(found=False, control="nothing-is-said", on="cpu")
def nothing_to_say() -> Any:
    """The file says "auto"."""
    return run(limit=0.3, optimizer=sgd(), gradient_clipping="auto")


@detect(found=True, on="cpu")
def not_switched_off() -> Any:
    """A limit of 0 means no clipping, and gradients are clipped."""
    return run(limit=0.0, optimizer=sgd())


@detect(found=False, control="not-switched-off", on="cpu")
def switched_off() -> Any:
    """The same, handed on."""
    return run(limit=0.0, optimizer=sgd(), gradient_clipping="auto")


@detect(found=True, on="cpu")
def bare_optimizer() -> Any:
    """Of the optimizer the file says the name alone."""
    return run(limit=0.3, optimizer=adam())


@reproduce(on="cpu")
def clipping_absent() -> Any:
    """The callback ends the run before its first step."""
    return guarded(limit=0.3, optimizer=sgd())


@fix("auto", control="clipping-absent", on="cpu")
def clipping_auto() -> Any:
    """The limit of the arguments is in force."""
    return guarded(limit=0.3, optimizer=sgd(), gradient_clipping="auto")


@reproduce(on="cpu")
def rate_absent() -> Any:
    """An optimizer without a learning rate."""
    return guarded(optimizer=adam(weight_decay="auto"))


@fix("auto", control="rate-absent", on="cpu")
def rate_auto() -> Any:
    """The rate is handed on."""
    return guarded(optimizer=adam(lr="auto", weight_decay="auto"))


@fix("no-optimizer", control="rate-absent", on="cpu")
def no_optimizer() -> Any:
    """The Trainer makes the optimizer."""
    return guarded()


@reproduce(on="cpu")
def decay_absent() -> Any:
    """The rate is handed on, the decay is not."""
    return guarded(optimizer=adam(lr="auto"))


@fix("auto", control="decay-absent", on="cpu")
def decay_auto() -> Any:
    """Both are."""
    return guarded(optimizer=adam(lr="auto", weight_decay="auto"))


if __name__ == "__main__":
    main(__file__)
