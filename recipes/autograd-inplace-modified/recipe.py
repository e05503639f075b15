"""What a backward needs is changed before it: an output, a parameter, a buffer under DDP."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from proof_watch import one, two

from fixbook.recipe import fix, main, non_fix, reproduce


@reproduce()
def output_changed() -> dict[str, float]:
    """The softmax saved its result, and the next line overwrites it."""
    return one()


@reproduce()
def step_in_between() -> dict[str, float]:
    """The critic's step changes weights that the generator's backward goes through."""
    return two()


@fix("mend-the-change", control="output-changed")
def a_new_tensor() -> dict[str, float]:
    """The masked weights are a tensor of their own."""
    return one(write="new tensor")


@fix("mend-the-change", control="step-in-between")
def forward_again() -> dict[str, float]:
    """The generator's loss goes through the critic as it is now."""
    return two(again=True)


@non_fix("hide-the-write", control="output-changed")
def under_no_grad() -> dict[str, float]:
    """Autograd does not record the write, and still counts it."""
    return one(write="no_grad")


@non_fix("data", control="output-changed")
def through_data() -> dict[str, float]:
    """Autograd does not count the write."""
    return one(write="data")


@non_fix("inplace-false", control="step-in-between")
def layers_not_in_place() -> dict[str, float]:
    """It is not a layer that changes the weights."""
    return two(inplace=False)


@non_fix("step-last", control="step-in-between")
def step_last() -> dict[str, float]:
    """The critic steps with the generator's gradient on top of its own."""
    return two(step="last")


if __name__ == "__main__":
    main(__file__)
