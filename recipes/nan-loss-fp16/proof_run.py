"""What is measured of a run, and the steps whose weights go wrong without a nan."""

from __future__ import annotations

import math
from typing import Any

import torch
from failure import build, enlarge, rows

from fixbook.recipe import detect, measure, snippet
from fixbook.recipe.helpers import tiny_llama

DATA = ("empty", "padded", "drop")


def run(
    *, dtype: str = "float32", times: float = 1.0, attention: str = "sdpa", **settings: Any
) -> dict[str, Any]:
    """Train a small Llama, and measure what became of it."""
    trainer = _built(dtype, times, attention, settings)
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


def look(
    *,
    dtype: str = "float32",
    times: float = 1.0,
    attention: str = "sdpa",
    late: bool = False,
    **settings: Any,
) -> dict[str, Any]:
    """Ask the snippet of the page about the first batch, or about one after training."""
    trainer = _built(dtype, times, attention, settings)
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


def _built(dtype: str, times: float, attention: str, settings: dict[str, Any]) -> Any:
    """Return a Trainer with a small Llama of these weights and this attention."""
    model = tiny_llama().to(getattr(torch, dtype))
    enlarge(model, times)
    model.config._attn_implementation = attention
    data = rows(**{key: settings.pop(key) for key in DATA if key in settings})
    return build(model, data, seed=0, **settings)


def _weights(trainer: Any) -> torch.Tensor:
    """Return a copy of all weights as one vector."""
    return torch.cat([p.detach().double().flatten() for p in trainer.model.parameters()])


@detect(found=True)
def half_weights_fused() -> Any:
    """The Trainer's own optimizer raises no nan, and throws the weights far away."""
    return precision(dtype="float16")


@detect(found=False, control="half-weights-fused")
def full_weights_fused() -> Any:
    """The same steps on fp32 weights."""
    return precision(dtype="float32")
