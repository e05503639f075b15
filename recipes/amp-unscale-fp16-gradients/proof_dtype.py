"""What is measured of a run: the types of what is trained and frozen, and how far it moved."""

from __future__ import annotations

from typing import Any

import torch
from failure import build
from peft import LoraConfig, get_peft_model

from fixbook.recipe import detect, measure, snippet
from fixbook.recipe.helpers import tiny_llama

LORA: dict[str, Any] = {"r": 4, "target_modules": ["q_proj", "v_proj"], "task_type": "CAUSAL_LM"}


def run(
    *,
    dtype: str = "float16",
    lora: str | None = None,
    cast: bool = False,
    mend: bool = False,
    precision: str = "fp16",
    **options: Any,
) -> dict[str, Any]:
    """Train a small Llama, and measure how far its weights moved."""
    model = _model(dtype, lora, options)
    if cast:
        model.half()
    if mend:
        snippet("to-fp32")["to_fp32"](model)
    trainer = build(model, precision=precision, seed=0)
    trained = [p for p in model.parameters() if p.requires_grad]
    frozen = {str(p.dtype) for p in model.parameters() if not p.requires_grad}
    measure(
        trained=" ".join(sorted({str(p.dtype) for p in trained})),
        frozen=" ".join(sorted(frozen)),
        scaler=trainer.accelerator.scaler is not None,
    )
    layer = next(part for part in model.modules() if isinstance(part, torch.nn.Linear))
    layer.register_forward_hook(lambda *seen: measure(computed=str(seen[-1].dtype)))
    before = torch.cat([p.detach().double().flatten() for p in trained])
    trainer.train()
    after = torch.cat([p.detach().double().flatten() for p in trained])
    unmoved = (after == before).double().mean().item()
    return {"distance": (after - before).norm().item(), "unmoved": unmoved}


def look(*, dtype: str = "float16", lora: str | None = None) -> dict[str, Any]:
    """Ask the snippet of the page."""
    half = snippet("half")["trained_in_half"](_model(dtype, lora, {}))
    return {"found": bool(half), "first": half[0] if half else ""}


def silent(dtype: str) -> dict[str, Any]:
    """Ask the snippet, and train where nothing is raised."""
    return look(dtype=dtype) | run(dtype=dtype)


def _model(dtype: str, lora: str | None, options: dict[str, Any]) -> Any:
    """Return a model, with LoRA unless it is None, and with a trained copy of what it names."""
    model = tiny_llama().to(getattr(torch, dtype))
    if lora is None:
        return model
    return get_peft_model(
        model, LoraConfig(**LORA, modules_to_save=[lora] if lora else None), **options
    )


@detect(found=True)
def bf16_weights() -> dict[str, Any]:
    """The scaler of a CPU accepts bf16 gradients, and half of the weights stay as they were."""
    return silent("bfloat16")


@detect(found=False, control="bf16-weights")
def fp32_weights() -> dict[str, Any]:
    """The same steps on fp32 weights."""
    return silent("float32")
