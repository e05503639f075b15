"""Weights alone, loaded under ZeRO-3: nothing is loaded, or another checkpoint is."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "deepspeed==0.19.8"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import deepspeed
import torch
import torch.distributed as dist
from deepspeed.utils import safe_get_full_fp32_param
from failure import X, build, join, load, train_and_save

from fixbook.recipe import detect, fix, main, measure, reproduce, snippet


def known(stage: int, tag: str) -> Any:
    """Return the weights of a checkpoint, loaded whole: with the optimizer's state."""
    return weights(load(stage, "saved", tag=tag))


def weights(engine: Any) -> Any:
    """Return all weights, those that the optimizer trains, as one vector."""
    return torch.cat([safe_get_full_fp32_param(p).flatten() for p in engine.module.parameters()])


def saved(stage: int) -> None:
    """Train and save."""
    # Not compiled here: what speeds up collectives in shared memory, and changes no result.
    deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False
    join()
    train_and_save(stage, "saved")


def run(*, stage: int = 3, asked: str = "step40", **how: Any) -> dict[str, Any]:
    """Load, and say which weights the model then has."""
    saved(stage)
    engine = load(stage, "saved", **how)
    with torch.no_grad():
        loss = float((engine(X) - 1).square().mean())
    mine = weights(engine)
    same = {tag: torch.equal(mine, known(stage, tag)) for tag in ("step20", "step40")}
    fresh = torch.equal(mine, weights(build(stage, seed=1)))
    return {
        "loss": loss,
        "world": dist.get_world_size(),
        "fresh": fresh,
        "step20": same["step20"],
        "step40": same["step40"],
        "found": not same[asked],
    }


def guarded(*, before: bool = False, tag: str = "step40", **how: Any) -> dict[str, Any]:
    """Load, and let the page's assertion look; ``before``: load before the engine is made."""
    saved(3)
    if before:
        use = snippet("load-first")["load_first"]
        engine = build(3, 1, lambda model: use(model, "saved", tag))
    else:
        engine = load(3, "saved", tag=tag, **how)
    measure(step20=torch.equal(weights(engine), known(3, "step20")))
    snippet("assert-loaded")["assert_loaded"](engine, "saved", tag)
    return {"passed": True}


@detect(found=True, on="cpu")
def module_only() -> Any:
    """The weights are the fresh ones."""
    return run(load_module_only=True)


@detect(found=True, on="cpu", ranks=2)
def module_only_two_ranks() -> Any:
    """On two ranks too."""
    return run(load_module_only=True)


@detect(found=False, control="module-only", on="cpu")
def module_only_zero_2() -> Any:
    """ZeRO-2 loads them."""
    return run(load_module_only=True, stage=2)


@detect(found=False, control="module-only", on="cpu")
def without_states() -> Any:
    """One argument more."""
    return run(load_module_only=True, load_optimizer_states=False)


@detect(found=True, on="cpu")
def earlier_tag() -> Any:
    """The earlier checkpoint is asked for, the latest comes."""
    return run(asked="step20", load_optimizer_states=False, tag="step20")


@detect(found=False, control="earlier-tag", on="cpu")
def earlier_tag_zero_2() -> Any:
    """ZeRO-2 loads what is asked for."""
    return run(asked="step20", load_optimizer_states=False, tag="step20", stage=2)


@reproduce(on="cpu")
def nothing_loaded() -> Any:
    """The assertion ends the run."""
    return guarded(load_module_only=True)


@fix("no-states", control="nothing-loaded", on="cpu")
def states_left_out() -> Any:
    """DeepSpeed collects the weights from the optimizer's files."""
    return guarded(load_module_only=True, load_optimizer_states=False)


@reproduce(on="cpu")
def other_checkpoint() -> Any:
    """The assertion ends the run."""
    return guarded(tag="step20", load_optimizer_states=False)


@fix("load-first", control="other-checkpoint", on="cpu")
def loaded_first() -> Any:
    """The tag is handed on."""
    return guarded(tag="step20", load_optimizer_states=False, before=True)


@fix("everything", control="other-checkpoint", on="cpu")
def everything() -> Any:
    """The optimizer's state too."""
    return guarded(tag="step20", load_optimizer_states=True)


if __name__ == "__main__":
    main(__file__)
