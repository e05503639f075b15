"""GradScaler.unscale_ is called twice between two updates, or behind step."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import (
    accelerate_accumulates,
    accumulate,
    look,
    step_skipped,
    two_networks,
    unscaled_after_step,
)

from fixbook.recipe import detect, fix, main, reproduce


@reproduce()
def clipped_in_every_batch() -> dict[str, Any]:
    """Two batches are accumulated, and each is clipped."""
    return accumulate()


@reproduce()
def step_and_update_skipped() -> dict[str, Any]:
    """A step is left out for its norm, and the update with it."""
    return step_skipped()


@reproduce()
def accelerate_in_every_batch() -> dict[str, Any]:
    """Accelerate accumulates, and clip_grad_norm_ is called in each batch."""
    return accelerate_accumulates()


@reproduce()
def accelerate_two_networks() -> dict[str, Any]:
    """clip_grad_norm_ of one network unscales the other as well."""
    return two_networks()


@reproduce()
def clipped_after_step() -> dict[str, Any]:
    """Gradients are unscaled behind step."""
    return unscaled_after_step()


@detect(found=True)
def finds_no_update() -> dict[str, Any]:
    """Unscaled, and no update."""
    return look("clip")


@detect(found=True)
def finds_a_step_without_update() -> dict[str, Any]:
    """A step, and no update."""
    return look("no update")


@detect(found=False, control="finds-no-update")
def finds_it_ready() -> dict[str, Any]:
    """A batch begins behind an update."""
    return look()


@fix("accumulate", control="clipped-in-every-batch")
def clipped_where_it_steps() -> dict[str, Any]:
    """Unscale, clip, step and update once for both batches, and look as the check does."""
    return accumulate("")


@fix("update", control="step-and-update-skipped")
def step_skipped_alone() -> dict[str, Any]:
    """The update comes whether there was a step or not."""
    return step_skipped(always=True)


@fix("synced", control="accelerate-in-every-batch")
def accelerate_where_it_syncs() -> dict[str, Any]:
    """Accelerate clips in the batch that steps."""
    return accelerate_accumulates(synced=True)


@fix("trainer", control="accelerate-in-every-batch")
def accelerate_in_bf16() -> dict[str, Any]:
    """There is no scaler."""
    return accelerate_accumulates(precision="bf16")


@fix("apart", control="accelerate-two-networks")
def accelerate_one_by_one() -> dict[str, Any]:
    """Each optimizer is unscaled by itself."""
    return two_networks("as the page")


@fix("order", control="clipped-after-step")
def clipped_before_step() -> dict[str, Any]:
    """Unscale first, step then."""
    return unscaled_after_step(early=True)


@detect(found=True)
def unscale_left_out() -> dict[str, Any]:
    """The scaled gradients are clipped, and the step is that much smaller."""
    return accumulate("no unscaling")


@detect(found=True)
def update_in_every_batch() -> dict[str, Any]:
    """What the first batch left is divided again."""
    return accumulate("each update")


@detect(found=True)
def second_network_divided_twice() -> dict[str, Any]:
    """Step the first before the second is clipped: no error, and the second hardly moves."""
    done = two_networks("in turn")
    return {"found": done["moved"] < 0.1} | done


@detect(found=False, control="second-network-divided-twice")
def second_network_divided_once() -> dict[str, Any]:
    """Each by itself: both move."""
    done = two_networks("as the page")
    return {"found": done["moved"] < 0.1} | done


if __name__ == "__main__":
    main(__file__)
