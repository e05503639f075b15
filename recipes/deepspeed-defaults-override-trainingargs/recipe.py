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
from accelerate import Accelerator, DeepSpeedPlugin
from failure import train, train_in_a_loop
from torch.nn.utils import parameters_to_vector

from fixbook.recipe import backend, detect, device, fix, main, reproduce, snippet
from fixbook.recipe.helpers import join_ranks, tiny_llama

FILE = {
    "zero_optimization": {"stage": 2},
    "train_micro_batch_size_per_gpu": "auto",
    "zero_allow_untested_optimizer": True,
}
RATE = 1e-2
ONCE = "another DeepSpeed, built and imported anew"


def sgd(**params: Any) -> dict[str, Any]:
    """Return an optimizer whose steps show the norm that gradients were clipped to."""
    return {"type": "SGD", "params": {"lr": "auto", "weight_decay": "auto", **params}}


def adam(**params: Any) -> dict[str, Any]:
    """Return an optimizer as most DeepSpeed files name it, with what they say of it."""
    return {"type": "AdamW", "params": {"torch_adam": True, **params}}


def begin() -> Any:
    """Do what ``accelerate launch`` does for one process, and return a model on the device."""
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"
    join_ranks()
    deepspeed.init_distributed(backend(), auto_mpi_discovery=False)
    return tiny_llama().to(device())


def weights(model: Any) -> torch.Tensor:
    """Return a copy of all weights."""
    return parameters_to_vector(model.parameters()).detach().clone()


def run(
    guard: Any = None, *, limit: float = 1.0, schedule: str = "constant", **written: Any
) -> dict[str, Any]:
    """Train for one step, and return what DeepSpeed used.

    Args:
        guard: The callback that checks the run, if any.
        limit: ``max_grad_norm``.
        schedule: ``lr_scheduler_type``.
        **written: What the DeepSpeed file says beside the stage.
    """
    model = begin()
    before = weights(model)
    arguments = {"learning_rate": RATE, "max_grad_norm": limit, "lr_scheduler_type": schedule}
    trainer = train(model, FILE | written, guard, **arguments)
    engine: Any = trainer.model_wrapped
    group = engine.optimizer.param_groups[0]
    return {
        "found": engine.gradient_clipping() != limit,
        "clipping": engine.gradient_clipping(),
        "rate": group.get("initial_lr", group["lr"]),
        "decay": group["weight_decay"],
        "norm": float(torch.dist(weights(model), before)) / RATE,
    }


def guarded(**changes: Any) -> dict[str, Any]:
    """Train with the callback of the page."""
    return run(snippet("assert")["AssertDeepSpeedFollows"], **changes)


def scheduled(**written: Any) -> dict[str, Any]:
    """Train four steps by a cosine, and return the rate at their end."""
    arguments = {"learning_rate": RATE, "lr_scheduler_type": "cosine", "max_steps": 4}
    both = {"optimizer": sgd(), "gradient_clipping": "auto"}
    trainer = train(begin(), FILE | both | written, None, **arguments)
    engine: Any = trainer.model_wrapped
    of_deepspeed = type(engine.lr_scheduler).__module__ == "deepspeed.runtime.lr_schedules"
    return {"found": of_deepspeed, "ended": engine.optimizer.param_groups[0]["lr"]}


def warmup(**params: Any) -> dict[str, Any]:
    """Return a scheduler as most DeepSpeed files name it."""
    return {"type": "WarmupLR", "params": {"warmup_num_steps": "auto", **params}}


def loop(plugin: DeepSpeedPlugin) -> dict[str, Any]:
    """Take one step in a loop with accelerate, and return what DeepSpeed used."""
    model = begin()
    before = weights(model)
    engine = train_in_a_loop(model, Accelerator(deepspeed_plugin=plugin), limit=0.3)
    return {
        "found": engine.gradient_clipping() != 0.3,
        "clipping": engine.gradient_clipping(),
        "norm": float(torch.dist(weights(model), before)) / RATE,
    }


@reproduce(on="any")
def clipping_absent() -> Any:
    """The callback ends the run before its first step."""
    return guarded(limit=0.3, optimizer=sgd())


@reproduce(on="any")
def rate_absent() -> Any:
    """An optimizer without a learning rate."""
    return guarded(optimizer=adam(weight_decay="auto"))


@reproduce(on="any")
def decay_absent() -> Any:
    """The rate is handed on, the decay is not."""
    return guarded(optimizer=adam(lr="auto"))


@detect(found=True, on="any")
def nothing_is_said() -> Any:
    """The limit of 0.3 is not in force."""
    return run(limit=0.3, optimizer=sgd())


@detect(found=False, control="nothing-is-said", on="any")
def nothing_to_say() -> Any:
    """The file says "auto"."""
    return run(limit=0.3, optimizer=sgd(), gradient_clipping="auto")


@detect(found=False, on="any")
def usual_file() -> Any:
    """A file with everything at "auto", a scheduler too, and the callback lets it train."""
    warm = {"warmup_min_lr": "auto", "warmup_max_lr": "auto", "warmup_num_steps": "auto"}
    return guarded(
        schedule="constant_with_warmup",
        optimizer=adam(lr="auto", weight_decay="auto"),
        scheduler={"type": "WarmupLR", "params": warm},
        gradient_clipping="auto",
    )


@detect(found=True, on="any")
def bare_optimizer() -> Any:
    """Of the optimizer the file says the name alone."""
    return run(limit=0.3, optimizer=adam())


@detect(found=True, on="any")
def schedule_of_the_file() -> Any:
    """The arguments ask for a cosine."""
    return scheduled(scheduler=warmup(warmup_min_lr="auto", warmup_max_lr="auto"))


@fix("no-scheduler", control="schedule-of-the-file", on="any")
def schedule_of_the_arguments() -> Any:
    """The file names no scheduler."""
    return scheduled()


@fix("auto", control="clipping-absent", on="any")
def clipping_auto() -> Any:
    """The limit of the arguments is in force."""
    return guarded(limit=0.3, optimizer=sgd(), gradient_clipping="auto")


@fix("auto", control="rate-absent", on="any")
def rate_auto() -> Any:
    """The rate is handed on, and so is the decay."""
    return guarded(optimizer=adam(lr="auto", weight_decay="auto"))


@fix("no-optimizer", control="rate-absent", on="any")
def no_optimizer() -> Any:
    """The Trainer makes the optimizer."""
    return guarded()


@detect(found=True, on="any")
def clipped_in_a_loop() -> Any:
    """``clip_grad_norm_`` of accelerate leaves clipping to DeepSpeed."""
    return loop(DeepSpeedPlugin(zero_stage=2))


@fix("loop", control="clipped-in-a-loop", on="any")
def clipped_by_the_plugin() -> Any:
    """DeepSpeed is told."""
    return loop(snippet("plugin")["plugin"])


@detect(found=True, on="any")
def not_switched_off() -> Any:
    """A limit of 0 means no clipping, and gradients are clipped."""
    return run(limit=0.0, optimizer=sgd())


@detect(found=False, control="not-switched-off", on="any")
def switched_off() -> Any:
    """The same, handed on."""
    return run(limit=0.0, optimizer=sgd(), gradient_clipping="auto")


@detect(found=True, on="any", versions=["deepspeed==0.19.3"], record_once=ONCE)
def default_of_0_19_3() -> Any:
    """It clips to 1.0, and a limit of 0 does not switch that off."""
    return run(limit=0.0, optimizer=sgd())


@detect(
    found=False,
    control="default-of-0-19-3",
    on="any",
    versions=["deepspeed==0.19.2"],
    record_once=ONCE,
)
def default_of_0_19_2() -> Any:
    """Nothing clips."""
    return run(limit=0.0, optimizer=sgd())


if __name__ == "__main__":
    main(__file__)
