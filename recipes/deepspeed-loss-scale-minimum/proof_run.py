"""Train, and say what was skipped and how far the weights came."""

from __future__ import annotations

from math import isnan
from typing import Any

from deepspeed.accelerator import get_accelerator
from failure import PRECISION, build, train

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import join_ranks


def run(
    precision: str = "fp16",
    *,
    guarded: bool = False,
    size: float = 1e4,
    steps: int = 40,
    **changes: Any,
) -> dict[str, Any]:
    """Train for some steps; ``guarded``: with the page's code after each of them."""
    join_ranks()
    if device() == "cpu":
        cpu: Any = type(get_accelerator())
        cpu.is_fp16_supported = lambda _: True
    measure(minimum=PRECISION[precision].get("fp16", {}).get("min_loss_scale", 1))
    engine = build(precision, **changes)
    weight = engine.module[1].weight
    measure(weights=" ".join(snippet("weights", model=engine.module)["broken"]))
    scaler = engine.optimizer.loss_scale if hasattr(engine.optimizer, "loss_scale") else None
    measure(dtype=str(weight.dtype), scale=float(scaler or 1))
    measure(stage=engine.zero_optimization_stage(), rate=engine.get_lr()[0])
    before = weight.detach().float().clone()
    guard = snippet("stop")["StopSkipping"]() if guarded else None
    loss = train(engine, size=size, guard=guard, steps=steps)
    moved = (weight.detach().float() - before).abs().max().item()
    measure(skipped=engine.skipped_steps, moved=moved)
    return {"loss": str(loss) if isnan(loss) else loss, "found": isnan(loss)}
