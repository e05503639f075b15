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

from proof_load import guarded, partly_frozen, run

from fixbook.recipe import detect, fix, main, reproduce


@reproduce(on="any")
def nothing_loaded() -> Any:
    """The assertion ends the run."""
    return guarded("module-only")


@reproduce(on="any")
def other_checkpoint() -> Any:
    """The assertion ends the run."""
    return guarded("without-states", tag="step20")


@detect(found=True, on="any")
def module_only() -> Any:
    """The weights are the fresh ones."""
    return run(load_module_only=True)


@detect(found=True, on="any", ranks=2)
def module_only_two_ranks() -> Any:
    """On two ranks too."""
    return run(load_module_only=True)


@detect(found=False, control="module-only", on="any")
def module_only_zero_2() -> Any:
    """ZeRO-2 loads them."""
    return run(load_module_only=True, stage=2)


@detect(found=True, on="any")
def module_only_frozen() -> Any:
    """Frozen weights are in the model's file, and come."""
    return partly_frozen(load_module_only=True)


@detect(found=False, control="module-only-frozen", on="any")
def everything_frozen() -> Any:
    """A full resume has both."""
    return partly_frozen()


@detect(found=True, on="any")
def earlier_tag() -> Any:
    """The earlier checkpoint is asked for, the latest comes."""
    return run(asked="step20", load_optimizer_states=False, tag="step20")


@detect(found=False, control="earlier-tag", on="any")
def earlier_tag_zero_2() -> Any:
    """ZeRO-2 loads what is asked for."""
    return run(asked="step20", load_optimizer_states=False, tag="step20", stage=2)


@detect(found=False, control="module-only", on="any")
def without_states() -> Any:
    """One argument more."""
    return run(load_module_only=True, load_optimizer_states=False)


@fix("no-states", control="nothing-loaded", on="any")
def states_left_out() -> Any:
    """DeepSpeed collects the weights from the optimizer's files."""
    return guarded("no-states")


@fix("load-first", control="other-checkpoint", on="any")
def loaded_first() -> Any:
    """The tag is handed on."""
    return guarded("load-first", tag="step20")


@fix("everything", control="other-checkpoint", on="any")
def everything() -> Any:
    """The optimizer's state too."""
    return guarded("everything", tag="step20")


if __name__ == "__main__":
    main(__file__)
