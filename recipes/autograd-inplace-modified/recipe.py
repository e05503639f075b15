"""What a backward needs is changed before it: an output, a parameter, a leaf, a buffer of DDP."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import adversarial, attention, multimodal
from proof_watch import (
    broadcast,
    cloned,
    convolutions,
    copied,
    critic_first,
    look,
    look_at_sound_steps,
    masked,
    one,
    run,
    two,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="any")
def output_changed() -> dict[str, float]:
    """The softmax saved its result, and the next line overwrites it."""
    return one()


@reproduce(on="any")
def output_changed_under_checkpointing() -> dict[str, float]:
    """The same inside reentrant gradient checkpointing."""
    return one(again=True)


@reproduce(on="any")
def step_in_between() -> dict[str, float]:
    """The critic's step changes weights that the generator's backward goes through."""
    return two()


@reproduce(on="any")
def step_between_convolutions() -> dict[str, float]:
    """A convolution saves its weight itself, so the message names no operator."""
    return two(critic=convolutions())


@reproduce(on="any")
def leaf_changed() -> dict[str, float]:
    """Features of an image are written into embeddings that were made to require gradients."""
    return {"sum": multimodal()}


@reproduce(on="any")
def view_of_a_leaf_changed() -> dict[str, float]:
    """The same through a view."""
    return {"sum": multimodal(view=True)}


@detect(found=True, on="any")
def finds_the_output() -> dict[str, Any]:
    """It stops at the write, and names the softmax."""
    return look(run, program=attention)


@detect(found=False, control="finds-the-output", on="any")
def accepts_a_new_tensor() -> dict[str, Any]:
    """Nothing that is needed changes."""
    return look(run, program=attention, mask=masked)


@detect(found=True, on="any")
def finds_data() -> dict[str, Any]:
    """It sees what autograd does not."""
    return look(run, program=attention, write="data")


@detect(found=True, on="any")
def finds_the_step() -> dict[str, Any]:
    """It stops in the optimizer, and names the forward."""
    return look(run, program=adversarial)


@detect(found=False, control="finds-the-step", on="any")
def accepts_a_forward_after_the_step() -> dict[str, Any]:
    """The step changes nothing that is still needed."""
    return look(run, program=adversarial, train=critic_first)


@detect(found=False, on="any")
def accepts_sound_steps() -> dict[str, Any]:
    """Nothing is said of usual training steps."""
    return look_at_sound_steps()


@detect(found=True, on="any")
def finds_a_step_by_hand() -> dict[str, Any]:
    """No error, and a gradient of neither critic."""
    return look(run, program=adversarial, step="by hand") | two(step="by hand")


@detect(found=True, on="any", ranks=2)
def finds_the_broadcast() -> dict[str, Any]:
    """DDP writes rank 0's buffer over the one that the first forward saved, and says nothing."""
    return broadcast()


@fix("make-a-new-tensor", control="output-changed", on="any")
def new_tensor() -> dict[str, float]:
    """The masked weights are a tensor of their own."""
    return one(mask=masked)


@fix("forward-after-the-step", control="step-in-between", on="any")
def forward_again() -> dict[str, float]:
    """The generator's loss goes through the critic as it is now."""
    return two(train=critic_first)


@fix("copy-the-leaf", control="leaf-changed", on="any")
def leaf_copied() -> dict[str, float]:
    """The features are written into a copy."""
    return {"sum": multimodal(write=copied)}


@fix("clone-the-buffer", control="finds-the-broadcast", on="any", ranks=2)
def buffer_cloned() -> dict[str, Any]:
    """What backward needs is not the buffer."""
    return broadcast(take=cloned)


@non_fix("hide-the-write", control="output-changed", on="any")
def under_no_grad() -> dict[str, float]:
    """Autograd does not record the write, and still counts it."""
    return one(write="no_grad")


@non_fix("data", control="output-changed", on="any")
def through_data() -> dict[str, float]:
    """Autograd does not count the write."""
    return one(write="data")


@non_fix("inplace-false", control="step-in-between", on="any")
def layers_not_in_place() -> dict[str, float]:
    """It is not a layer that changes the weights."""
    return two(inplace=False)


@non_fix("step-last", control="step-in-between", on="any")
def step_last() -> dict[str, float]:
    """The critic steps with the generator's gradient on top of its own."""
    return two(step="last")


if __name__ == "__main__":
    main(__file__)
