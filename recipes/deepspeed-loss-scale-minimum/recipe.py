"""DeepSpeed halves its loss scale down to 1 and gives up: an overflow, or a nan."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "deepspeed==0.19.8"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from math import isnan
from typing import Any

import deepspeed
from deepspeed.accelerator import get_accelerator
from failure import build, train

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet


def run(
    *,
    kind: str | None = "fp16",
    stage: int = 2,
    broken: bool = False,
    guarded: bool = False,
    size: float = 1e4,
    steps: int = 40,
    **section: Any,
) -> dict[str, Any]:
    """Train, and say what was skipped and how far the weights came."""
    # Not compiled here: what speeds up collectives in shared memory, and changes no result.
    deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False
    cpu: Any = type(get_accelerator())
    cpu.is_fp16_supported = lambda _: True
    engine = build({kind: {"enabled": True, **section}} if kind else {}, stage=stage, broken=broken)
    weight = engine.module[1].weight
    scaler = engine.optimizer.loss_scale if hasattr(engine.optimizer, "loss_scale") else None
    measure(
        dtype=str(weight.dtype), scale=float(scaler or 1), stage=engine.zero_optimization_stage()
    )
    before = weight.detach().float().clone()
    guard = snippet("stop")["StopSkipping"]() if guarded else None
    loss = train(engine, size=size, guard=guard, steps=steps)
    moved = (weight.detach().float() - before).abs().max().item()
    measure(skipped=engine.skipped_steps, moved=moved)
    return {"loss": str(loss) if isnan(loss) else loss, "found": isnan(loss)}


@reproduce(on="cpu")
def overflow() -> Any:
    """Gradients are larger than fp16 can hold, at a loss scale of 1 too."""
    return run()


@fix("bf16", control="overflow", on="cpu")
def in_bf16() -> Any:
    """Its range is that of fp32."""
    return run(kind="bf16")


@fix("bf16", control="overflow", on="cpu")
def in_fp32() -> Any:
    """No section at all."""
    return run(kind=None)


@fix("smaller", control="overflow", on="cpu")
def smaller() -> Any:
    """Features of order 1."""
    return run(size=1.0)


@reproduce(on="cpu")
def forward_overflow() -> Any:
    """Features that fp16 cannot hold: the forward is inf, the loss nan."""
    return run(size=1e6)


@fix("bf16", control="forward-overflow", on="cpu")
def forward_in_bf16() -> Any:
    """It holds them."""
    return run(kind="bf16", size=1e6)


@reproduce(on="cpu")
def broken_weight() -> Any:
    """One weight is nan: so is everything behind it."""
    return run(broken=True, size=1.0)


@fix("source", control="broken-weight", on="cpu")
def good_weights() -> Any:
    """A checkpoint from before it broke."""
    return run(broken=False, size=1.0)


@non_fix("static", control="overflow", on="cpu")
def static_scale() -> Any:
    """Nothing is raised any more, and nothing is learnt."""
    return run(loss_scale=8)


@non_fix("bf16-for-nan", control="broken-weight", on="cpu")
def broken_in_bf16() -> Any:
    """Every step is skipped, and the run goes on."""
    return run(kind="bf16", broken=True, size=1.0)


@detect(found=True, on="cpu")
def loss_of_broken() -> Any:
    """In fp32 too the loss of the first step is nan."""
    return run(kind=None, broken=True, size=1e6, steps=1)


@detect(found=False, control="loss-of-broken", on="cpu")
def loss_of_overflow() -> Any:
    """In fp32 it is a number, however large."""
    return run(kind=None, broken=False, size=1e6, steps=1)


@detect(found=True, on="cpu")
def loss_in_fp16() -> Any:
    """In fp16 the loss of an overflow is nan as well."""
    return run(size=1e6, steps=1)


@detect(found=False, on="cpu")
def without_zero() -> Any:
    """ZeRO 0 does not raise."""
    return run(stage=0)


@reproduce(on="cpu")
def static_scale_guarded() -> Any:
    """The guard ends what the static scale would let go on."""
    return run(loss_scale=8, guarded=True)


@fix("smaller", control="static-scale-guarded", on="cpu")
def smaller_guarded() -> Any:
    """It has nothing to say here."""
    return run(loss_scale=8, guarded=True, size=1.0)


if __name__ == "__main__":
    main(__file__)
