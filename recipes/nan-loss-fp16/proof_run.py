"""What is measured of a run, and the steps whose weights go wrong without a nan."""

from __future__ import annotations

import math
from typing import Any

import torch
from failure import build, enlarge, rows

from fixbook.recipe import detect, measure, snippet
from fixbook.recipe.helpers import tiny_llama

DATA = ("empty", "padded", "drop")


def run(**changes: Any) -> dict[str, Any]:
    """Train a small Llama, and measure what became of it."""
    trainer = _built(**changes)
    trainer.add_callback(snippet("stop")["StopAtNan"]())
    before = _weights(trainer)
    try:
        trainer.train()
    finally:
        measures = _measures(trainer, before)
        measure(**measures)
    return measures


def _measures(trainer: Any, before: torch.Tensor) -> dict[str, Any]:
    log = [row for row in trainer.state.log_history if "grad_norm" in row]
    scaler, group = trainer.accelerator.scaler, trainer.optimizer.param_groups[0]
    return {
        "nan_losses": sum(math.isnan(row["loss"]) for row in log),
        "zero_losses": sum(row["loss"] == 0 for row in log),
        "nan_gradients": sum(math.isnan(row["grad_norm"]) for row in log),
        "zero_gradients": sum(row["grad_norm"] == 0 for row in log),
        "broken_tensors": sum(not p.isfinite().all() for p in trainer.model.parameters()),
        "distance": (_weights(trainer) - before).norm().nan_to_num(-1).item(),
        "scale": scaler.get_scale() if scaler else 1.0,
        "learning_rate": group["initial_lr"],
        "epsilon": group["eps"],
    }


def stops(**changes: Any) -> dict[str, Any]:
    """Train, and say whether the callback of the page ended it."""
    try:
        run(**changes)
    except RuntimeError as error:
        return {"found": "not finite" in str(error)}
    return {"found": False}


def look(*, late: bool = False, **changes: Any) -> dict[str, Any]:
    """Ask the snippet of the page about the first batch, or about one after training."""
    trainer = _built(**changes)
    if late:
        trainer.train()
    asked = snippet("why-nan", trainer=trainer)
    return {"found": asked["reason"] is not None, "says": str(asked["reason"])}


def precision(*, dtype: str) -> dict[str, Any]:
    """Train, and ask the assertion of the page."""
    seen = run(dtype=dtype)
    model = tiny_llama().to(getattr(torch, dtype))
    try:
        snippet("full-precision")["assert_full_precision"](model)
    except RuntimeError as error:
        return {"found": True, "says": str(error), **seen}
    return {"found": False, "says": "", **seen}


def _built(
    *,
    dtype: str = "float32",
    times: float = 1.0,
    head: float = 1.0,
    attention: str = "sdpa",
    **settings: Any,
) -> Any:
    """Return a Trainer with a small Llama of these weights and this attention."""
    model = tiny_llama().to(getattr(torch, dtype))
    enlarge(model, times, head)
    model.config._attn_implementation = attention
    data = rows(**{key: settings.pop(key) for key in DATA if key in settings})
    return build(model, data, seed=0, **settings)


def _weights(trainer: Any) -> torch.Tensor:
    """Return a copy of all weights as one vector."""
    return torch.cat([p.detach().double().flatten() for p in trainer.model.parameters()])


@detect(found=True)
def masked_row_found() -> Any:
    """It names the attention, whose input is small."""
    return look(padded=4, attention="by_hand")


@detect(found=True)
def backward_found() -> Any:
    """The nan of a masked row is zeroed in the forward, and is there in the backward."""
    return look(padded=4, attention="zeroed")


@detect(found=True)
def overflow_stopped() -> Any:
    """The loss is nan, which the Trainer logs as 0."""
    return stops(head=1e6, precision="fp16", max_steps=8)


@detect(found=False, control="overflow-stopped")
def scale_coming_down() -> Any:
    """The loss is sound, and the first gradients are too large for the first scales alone."""
    return stops(head=30.0, precision="fp16", max_steps=8)


@detect(found=True)
def half_weights_fused() -> Any:
    """The Trainer's own optimizer raises no nan, and throws the weights far away."""
    return precision(dtype="float16")


@detect(found=False, control="half-weights-fused")
def full_weights_fused() -> Any:
    """The same steps on fp32 weights."""
    return precision(dtype="float32")
