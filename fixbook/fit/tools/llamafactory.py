"""LLaMA-Factory."""

from __future__ import annotations

from typing import Any

from fixbook.fit.plan import ALL_LINEAR, Adapter
from fixbook.fit.reading import CannotTellError, Reading, Settings, optimizer, refuse
from fixbook.fit.tools.trainer import BATCH, NOT_PREDICTED, attention, mixed, model_name
from fixbook.text import say

_NOT_PREDICTED = (
    *NOT_PREDICTED,
    "use_unsloth",
    "use_unsloth_gc",
    "use_galore",
    "use_apollo",
    "use_badam",
    "use_muon",
    "use_adam_mini",
    "use_llama_pro",
    "use_kt",
    "shift_attn",
    "ray_run_name",
)
LINES: dict[str, dict[str, Any]] = {
    "checkpointing": {"disable_gradient_checkpointing": False},
    "adamw-fused": {"optim": "adamw_torch_fused"},
    "adamw-8bit": {"optim": "adamw_bnb_8bit"},
    "adamw-8bit-paged": {"optim": "paged_adamw_8bit"},
    "sdpa": {"flash_attn": "sdpa"},
    "bfloat16": {"pure_bf16": True},
    "chunked": {"enable_liger_kernel": True},
    "nf4": {"quantization_bit": 4, "quantization_method": "bnb"},
    "lora": {"finetuning_type": "lora", "lora_rank": 16, "lora_target": "all"},
}
_STAGES = {"sft", "pt"}


def read(settings: Settings, release: str) -> Reading:
    """Read what a configuration of LLaMA-Factory says.

    Raises:
        CannotTellError: It is for a stage, or a way to train, that is not predicted.
    """
    refuse(settings, *_NOT_PREDICTED)
    stage = str(settings.get("stage", "sft"))
    if stage not in _STAGES:
        raise CannotTellError(
            say(
                "stage is {stage}: only supervised fine-tuning is predicted so far",
                stage=stage[:60],
            )
        )
    kind = str(settings.get("finetuning_type", "lora"))
    if kind not in {"full", "lora"}:
        raise CannotTellError(say("finetuning_type {kind} is not predicted", kind=kind[:60]))
    plan: dict[str, Any] = {
        "batch": settings.number(BATCH[0], 8),
        "length": settings.number("cutoff_len", 2048),
        "autocast": mixed(settings),
        "optimizer": optimizer(settings, "optim"),
        "accumulates": settings.number(BATCH[1], 1) > 1,
        "clips": bool(settings.get("max_grad_norm", 1.0)),
        "loss": "chunked" if settings.flag("enable_liger_kernel") else "whole",
        "prepared": False,
        "adapter": _adapter(settings) if kind == "lora" else None,
    }
    plan["quantized"] = _quantized(settings)
    plan["double_quantized"] = settings.flag(
        "double_quantization", default=plan["quantized"] == "nf4"
    )
    pure = settings.flag("pure_bf16")
    computed = "bfloat16" if pure else plan["autocast"] or "auto"
    # What is trained is turned to float32, unless pure_bf16 asks for the contrary.
    plan["weights"] = computed if kind == "lora" or pure else "float32"
    if not settings.flag("disable_gradient_checkpointing"):
        reentrant = settings.flag("use_reentrant_gc", default=True)
        plan["checkpointing"] = "reentrant" if reentrant else "non-reentrant"
    packed = settings.has("packing", "neat_packing") or stage == "pt"
    plan["padded"] = plan["batch"] > 1 and not packed
    plan["attention"] = attention(settings.get("flash_attn", "auto"), plan)
    return Reading("llamafactory", release, model_name(settings), plan, settings)


def _quantized(settings: Settings) -> str:
    bits = settings.has("quantization_bit")
    if not bits:
        return ""
    method = str(settings.get("quantization_method", "bnb"))
    number = settings.number("quantization_bit", 4)
    if method not in {"bnb", "bitsandbytes"} or number not in {4, 8}:
        raise CannotTellError(
            say("{bits} bits of {method} are not predicted", bits=number, method=method[:60])
        )
    return "nf4" if number == 4 else "int8"  # noqa: PLR2004


def _adapter(settings: Settings) -> Adapter:
    targets = settings.words("lora_target")
    if not targets or "all" in targets:
        targets = (ALL_LINEAR,)
    return Adapter(
        rank=settings.number("lora_rank", 8),
        targets=targets,
        dora=settings.flag("use_dora"),
        saved=settings.words("additional_target"),
        precision="bfloat16" if settings.flag("pure_bf16") else "float32",
    )
