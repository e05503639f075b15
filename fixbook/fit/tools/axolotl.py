"""axolotl."""

from __future__ import annotations

from typing import Any

from fixbook.fit.plan import ALL_LINEAR, Adapter
from fixbook.fit.reading import CannotTellError, Reading, Settings, optimizer, refuse
from fixbook.fit.tools.trainer import NOT_PREDICTED, attention, checkpointing, mixed
from fixbook.text import say

BATCH = ("micro_batch_size", "gradient_accumulation_steps")
_NOT_PREDICTED = (
    *NOT_PREDICTED,
    "rl",
    "reward_model",
    "process_reward_model",
    "unsloth_cross_entropy_loss",
    "unsloth_lora_mlp",
    "unsloth_lora_qkv",
    "unsloth_lora_o",
    "lisa_n_layers",
    "unfrozen_parameters",
    "gptq",
    "qat",
    "context_parallel_size",
    "tensor_parallel_size",
    "tiled_mlp",
)
LINES: dict[str, dict[str, Any]] = {
    "checkpointing": {"gradient_checkpointing": True},
    "adamw-fused": {"optimizer": "adamw_torch_fused"},
    "adamw-8bit": {"optimizer": "adamw_bnb_8bit"},
    "adamw-8bit-paged": {"optimizer": "paged_adamw_8bit"},
    "sdpa": {"attn_implementation": "sdpa"},
    "bfloat16": {"bf16": True},
    "chunked": {
        "plugins": ["axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin"],
    },
    "nf4": {"adapter": "qlora", "load_in_4bit": True},
    "lora": {"adapter": "lora", "lora_r": 16, "lora_target_linear": True},
}
_CHUNKED = ("cut_cross_entropy", "liger_fused_linear_cross_entropy", "chunked_cross_entropy")
_OFFLOADED = {"offload", "offload_disk", "unsloth"}


def read(settings: Settings, release: str) -> Reading:
    """Read what a configuration of axolotl says.

    Raises:
        CannotTellError: It sets what is not predicted.
    """
    refuse(settings, *_NOT_PREDICTED)
    kind = str(settings.values.get("adapter") or "")
    if kind not in {"", "lora", "qlora"}:
        raise CannotTellError(say("adapter {kind} is not predicted", kind=kind[:60]))
    if str(settings.values.get("gradient_checkpointing")).lower() in _OFFLOADED:
        raise CannotTellError(say("offloaded activations are not predicted"))
    plan: dict[str, Any] = {
        "batch": settings.number(BATCH[0], 1),
        "length": settings.number("sequence_len", 512),
        "autocast": mixed(settings),
        "checkpointing": checkpointing(settings, default=False),
        "optimizer": optimizer(settings, "optimizer"),
        "accumulates": settings.number(BATCH[1], 1) > 1,
        "clips": bool(settings.get("max_grad_norm", 1.0)),
        "loss": "chunked" if _chunked(settings) else "whole",
        "prepared": False,  # axolotl turns norms and head back to the precision of the rest
        "adapter": _adapter(settings) if kind else None,
    }
    four = settings.flag("load_in_4bit") or kind == "qlora"
    plan["quantized"] = "nf4" if four else "int8" if settings.flag("load_in_8bit") else ""
    plan["double_quantized"] = four
    half = settings.flag("bfloat16"), settings.flag("float16") or plan["quantized"] == "int8"
    wanted = plan["autocast"] or ("bfloat16" if half[0] else "float16" if half[1] else "float32")
    plan["weights"] = wanted
    plan["padded"] = plan["batch"] > 1 and not settings.has("sample_packing", "pad_to_sequence_len")
    plan["attention"] = attention(_attention(settings), plan)
    return Reading("axolotl", release, str(settings.get("base_model") or ""), plan, settings)


def _attention(settings: Settings) -> str:
    if settings.has("attn_implementation"):
        return str(settings.values["attn_implementation"])
    if settings.flag("eager_attention"):
        return "eager"
    # Packed sequences stand in one row, without a mask, as flash attention takes them.
    return (
        "flash"
        if settings.has("flash_attention", "sample_packing", "xformers_attention")
        else "sdpa"
    )


def _chunked(settings: Settings) -> bool:
    plugins = settings.values.get("plugins")
    named = " ".join(map(str, plugins)) if isinstance(plugins, list) else ""
    return bool(settings.has(*_CHUNKED)) or "cut_cross_entropy" in named


def _adapter(settings: Settings) -> Adapter:
    targets = settings.words("lora_target_modules")
    if settings.flag("lora_target_linear"):
        targets = (ALL_LINEAR,)
    return Adapter(
        rank=settings.number("lora_r", 8),
        targets=targets,
        dora=settings.flag("peft_use_dora"),
        saved=settings.words("lora_modules_to_save"),
    )
