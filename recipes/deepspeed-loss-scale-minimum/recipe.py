"""DeepSpeed halves its loss scale down to 1 and gives up: an overflow, or a nan."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "deepspeed==0.19.8"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_run import run

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="any")
def overflow() -> Any:
    """Gradients are larger than fp16 can hold, at a loss scale of 1 too."""
    return run()


@reproduce(on="any")
def forward_overflow() -> Any:
    """Features that fp16 cannot hold: the forward is inf, the loss nan."""
    return run(size=1e6)


@reproduce(on="any")
def broken_weight() -> Any:
    """One weight is nan: so is everything behind it."""
    return run(broken=True, size=1.0)


@reproduce(on="any")
def static_scale_guarded() -> Any:
    """The guard ends what the static scale would let go on."""
    return run("static", guarded=True)


@detect(found=True, on="any")
def loss_of_broken() -> Any:
    """In fp32 too the loss of the first step is nan."""
    return run("fp32", broken=True, size=1e6, steps=1)


@detect(found=False, control="loss-of-broken", on="any")
def loss_of_overflow() -> Any:
    """In fp32 it is a number, however large."""
    return run("fp32", broken=False, size=1e6, steps=1)


@detect(found=True, on="any")
def loss_in_fp16() -> Any:
    """In fp16 the loss of an overflow is nan as well."""
    return run(size=1e6, steps=1)


@detect(found=False, on="any")
def without_zero() -> Any:
    """ZeRO 0 does not raise."""
    return run(stage=0)


@fix("bf16", control="overflow", on="any")
def in_bf16() -> Any:
    """Its range is that of fp32."""
    return run("bf16")


@fix("bf16", control="forward-overflow", on="any")
def forward_in_bf16() -> Any:
    """It holds them."""
    return run("bf16", size=1e6)


@fix("bf16", control="static-scale-guarded", on="any")
def bf16_guarded() -> Any:
    """The guard has nothing to say here."""
    return run("bf16", guarded=True)


@fix("bf16", control="overflow", on="any")
def in_fp32() -> Any:
    """No section at all."""
    return run("fp32")


@fix("source", control="broken-weight", on="any")
def good_weights() -> Any:
    """A checkpoint from before it broke."""
    return run(broken=False, size=1.0)


@fix("smaller", control="overflow", on="any")
def smaller() -> Any:
    """Features of order 1."""
    return run(size=1.0)


@fix("smaller", control="static-scale-guarded", on="any")
def smaller_guarded() -> Any:
    """The guard has nothing to say here either."""
    return run("static", guarded=True, size=1.0)


@non_fix("static", control="overflow", on="any")
def static_scale() -> Any:
    """Nothing is raised any more, and nothing is learnt."""
    return run("static")


@non_fix("minimum", control="overflow")
def lower_minimum() -> Any:
    """DeepSpeed takes whole numbers alone, from 1, and says so before it has a device."""
    return run("lower")


@non_fix("learning-rate", control="overflow", on="any")
def small_learning_rate() -> Any:
    """Gradients do not depend on it in the first step, and no step is made."""
    return run(rate=1e-10)


@non_fix("bf16-for-nan", control="broken-weight", on="any")
def broken_in_bf16() -> Any:
    """Every step is skipped, and the run goes on."""
    return run("bf16", broken=True, size=1.0)


if __name__ == "__main__":
    main(__file__)
