"""What is measured of a run: the types of what is trained and frozen, and how far it moved."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import torch
from failure import build
from peft import LoraConfig, get_peft_model
from torch.amp import GradScaler
from transformers import (
    AutoModelForCausalLM,
    BertConfig,
    BertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    T5Config,
    T5ForConditionalGeneration,
    TrainerCallback,
)

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama

LORA: dict[str, Any] = {"r": 4, "target_modules": ["q_proj", "v_proj"], "task_type": "CAUSAL_LM"}
SIZES: dict[str, int] = {
    "vocab_size": 128,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}


class CastAt(TrainerCallback):
    """Casts the live model to fp16 once so many steps are done."""

    def __init__(self, steps: int) -> None:
        """Remember after how many steps."""
        self.steps = steps

    def on_step_end(self, _args: Any, state: Any, _control: Any, **given: Any) -> None:
        """Cast, as a validation that shares the model may do."""
        measure(steps=state.global_step)
        if state.global_step == self.steps:
            given["model"].half()


def run(*, mend: bool = False, cast: int = -1, precision: str = "fp16", **how: Any) -> Any:
    """Train a small Llama, and measure how far its weights moved."""
    model = _model(**how)
    if cast == 0:
        model.half()
    trainer = build(model, precision=precision, seed=0, use_cpu=device() == "cpu")
    trainer.add_callback(CastAt(cast))
    if trainer.args.fp16 and device() == "cpu":  # accelerate leaves it out there
        trainer.accelerator.native_amp = True
        trainer.accelerator.scaler = GradScaler("cpu")
    if mend:
        snippet("to-fp32", trainer=trainer)
    trained = [p for p in model.parameters() if p.requires_grad]
    frozen = {str(p.dtype) for p in model.parameters() if not p.requires_grad}
    measure(
        trained=" ".join(sorted({str(p.dtype) for p in trained})),
        frozen=" ".join(sorted(frozen)),
        scaler=trainer.accelerator.scaler is not None,
    )
    layer = next(part for part in model.modules() if isinstance(part, torch.nn.Linear))
    layer.register_forward_hook(lambda *seen: measure(computed=str(seen[-1].dtype)))
    before = _flat(trained)
    trainer.train()
    after = _flat(trained)
    unmoved = (after == before).double().mean().item()
    return {"distance": (after - before).norm().item(), "unmoved": unmoved}


def _flat(trained: list[Any]) -> torch.Tensor:
    return torch.cat([p.detach().double().flatten() for p in trained])


def look(*, dtype: str = "float16", lora: str | None = None, mend: bool = False) -> dict[str, Any]:
    """Ask the snippet of the page, after the fix of the page if ``mend``."""
    model = _model(dtype, lora).to(device())
    if mend:
        snippet("to-fp32", trainer=SimpleNamespace(model=model))
    half = snippet("half", model=model)["half"]
    return {"found": bool(half), "first": half[0] if half else ""}


def look_and_run(*, dtype: str) -> dict[str, Any]:
    """Ask the snippet, and train where nothing is raised."""
    return look(dtype=dtype) | run(dtype=dtype)


def look_at_usual() -> dict[str, Any]:
    """Ask the snippet about stock models, and about LoRA on a base in bf16."""
    models: list[Any] = [
        GPT2LMHeadModel(GPT2Config(**SIZES)),
        BertForMaskedLM(BertConfig(**SIZES, intermediate_size=64)),
        T5ForConditionalGeneration(T5Config(**SIZES)),
        _model("bfloat16", ""),
    ]
    listed = [snippet("half", model=model.to(device()))["half"] for model in models]
    return {"found": any(listed), "models": len(listed)}


def _model(
    dtype: str = "float16",
    lora: str | None = None,
    saved: bool = False,  # noqa: FBT001, FBT002  (passed by name)
    load: str = "",
    **options: Any,
) -> Any:
    """Return a model, with LoRA unless it is None, and with a trained copy of what it names."""
    model = tiny_llama().to(getattr(torch, dtype))
    if saved:
        model.save_pretrained("saved")
        chosen = {"dtype": getattr(torch, load)} if load else {}
        model = AutoModelForCausalLM.from_pretrained("saved", **chosen)
    if lora is None:
        return model
    return get_peft_model(
        model, LoraConfig(**LORA, modules_to_save=[lora] if lora else None), **options
    )
