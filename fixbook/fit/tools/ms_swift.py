"""ms-swift: ``swift sft`` and ``swift pt``, as a command or from a file."""

from __future__ import annotations

import json
import math
from typing import Any

from fixbook.fit.plan import ALL_LINEAR, Adapter, Checkpointing
from fixbook.fit.reading import CannotTellError, Reading, Settings, optimizer, precision, refuse
from fixbook.fit.tools.trainer import BATCH, NOT_PREDICTED, attention
from fixbook.text import say
from fixbook.versions import parse_version

TUNER, OLD_TUNER = "tuner_type", "train_type"
_RENAMED = "4.0"  # from which on it is called `TUNER`
_KEPT = "4.5"  # from which on `lora_dtype` is not turned to float32 by PEFT afterwards
_A_STEP = 16  # sequences that it gathers for one, unless told otherwise
_PLAIN = {"default", "last_round", "all", "ignore_empty_think"}  # weights of the loss: all are one
_GROUPS = {"all-embedding", "all-norm"}
_NOT_PREDICTED = (
    *NOT_PREDICTED,
    "use_galore",
    "lisa_activated_layers",
    "freeze_parameters",
    "freeze_parameters_regex",
    "freeze_parameters_ratio",
    "freeze_llm",
    "target_regex",
    "target_parameters",
    "num_labels",
    "device_map",
    "max_memory",
    "use_swift_lora",
)
LINES: dict[str, dict[str, Any]] = {
    "checkpointing": {"gradient_checkpointing": True},
    "adamw-fused": {"optim": "adamw_torch_fused"},
    "adamw-8bit": {"optim": "adamw_bnb_8bit"},
    "adamw-8bit-paged": {"optim": "paged_adamw_8bit"},
    "sdpa": {"attn_impl": "sdpa"},
    "bfloat16": {"torch_dtype": "bfloat16"},
    "chunked": {"use_liger_kernel": True},
    "nf4": {"quant_method": "bnb", "quant_bits": 4},
    "lora": {TUNER: "lora", "lora_rank": 16},
}
# What a setting has to be for a prediction, where others are not predicted.
_ONLY = {
    "task_type": {"causal_lm"},
    "tuner_backend": {"peft"},
    "sequence_parallel_size": {"1"},
    "optimizer": {"default", "lorap", "multimodal"},
    "bnb_4bit_quant_type": {"nf4", "fp4"},
}


def read(settings: Settings, release: str) -> Reading:
    """Read what a command or a file of ms-swift says.

    Raises:
        CannotTellError: It sets what is not predicted.
    """
    if other := settings.has("rlhf_type"):
        raise CannotTellError(
            say("{key} is set: only supervised fine-tuning is predicted so far", key=other)
        )
    refuse(settings, *_NOT_PREDICTED)
    for key, known in _ONLY.items():
        value = str(settings.get(key) or "").lower()
        if value and value not in known:
            raise CannotTellError(
                say("{key} {value} is not predicted", key=key, value=value[:60]),
            )
    key = OLD_TUNER if OLD_TUNER in settings.values else TUNER
    kind = str(settings.get(key, "lora"))
    if kind not in {"full", "lora"}:
        raise CannotTellError(say("{key} {value} is not predicted", key=key, value=kind[:60]))
    batch = settings.number(BATCH[0], 1)
    plan: dict[str, Any] = {
        "batch": batch,
        "length": _length(settings),
        "weights": precision(settings.get("torch_dtype"), "auto"),
        "autocast": _autocast(settings),
        "quantized": _quantized(settings),
        "prepared": False,
        "adapter": _adapter(settings, release) if kind == "lora" else None,
        "optimizer": optimizer(settings, "optim"),
        "padded": batch > 1 and not settings.has("packing", "padding_free"),
        "checkpointing": _checkpointing(settings),
        "loss": "chunked" if _is_chunked(settings) else "whole",
        "accumulates": settings.number(BATCH[1], math.ceil(_A_STEP / batch)) > 1,
        "clips": bool(settings.get("max_grad_norm", 1.0)),
    }
    if plan["quantized"] == "nf4":
        plan["double_quantized"] = settings.flag("bnb_4bit_use_double_quant", default=True)
    plan["attention"] = attention(settings.get("attn_impl", "sdpa"), plan)
    if plan["loss"] == "whole" and settings.flag("use_logits_to_keep", default=True):
        settings.notes.append(
            say("logits are made of labelled tokens only; it was predicted as if all were labelled")
        )
    return Reading("ms-swift", release, str(settings.get("model") or ""), plan, settings)


def line_names(release: str) -> dict[str, str]:
    """Return what a release calls the settings that it names otherwise."""
    return {} if parse_version(release) >= parse_version(_RENAMED) else {TUNER: OLD_TUNER}


def _length(settings: Settings) -> int:
    packed = "packing_length" if settings.flag("packing") else "max_length"
    key = settings.has(packed, "max_length")
    length = settings.number(key, 1) if key else settings.length
    if length is None:
        raise CannotTellError(
            say("it does not say how long the longest sequence is"),
            say("say it with --length: no other setting moves the peak as much"),
        )
    return length


def _autocast(settings: Settings) -> str:
    """Mixed precision follows the weights, unless it is asked for: float32 is run in float16."""
    asked = {key: settings.flag(key) for key in ("fp16", "bf16") if key in settings.values}
    named = precision(settings.values.get("torch_dtype"), "auto")
    by_weights = {"auto": "auto", "bfloat16": "bfloat16"}.get(named, "float16")
    if asked.get("fp16"):
        return "float16"
    if asked.get("bf16"):
        return "bfloat16"
    switched_off = {"float16": "fp16", "bfloat16": "bf16"}.get(by_weights)
    return "" if switched_off in asked or (by_weights == "auto" and asked) else by_weights


def _quantized(settings: Settings) -> str:
    method = settings.get("quant_method")
    if not method:
        return ""
    bits = str(settings.get("quant_bits"))
    if method != "bnb" or bits not in {"4", "8"}:
        raise CannotTellError(
            say("{bits} bits of {method} are not predicted", bits=bits, method=str(method)[:60])
        )
    return "nf4" if bits == "4" else "int8"


def _adapter(settings: Settings, release: str) -> Adapter:
    targets = settings.words("target_modules") or (ALL_LINEAR,)
    saved = settings.words("modules_to_save")
    unknown = next((name for name in (*targets, *saved) if name in _GROUPS), "")
    if unknown:
        raise CannotTellError(say("the group of modules {name} is not predicted", name=unknown))
    kept = parse_version(release) >= parse_version(_KEPT)
    dtype = settings.get("lora_dtype") if kept else None
    return Adapter(
        rank=settings.number("lora_rank", 8),
        targets=targets,
        dora=settings.flag("use_dora"),
        saved=saved,
        precision=precision(dtype, "float32"),
    )


def _checkpointing(settings: Settings) -> Checkpointing:
    if not settings.flag("gradient_checkpointing", default=True):
        return ""
    given = settings.values.get("gradient_checkpointing_kwargs")
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            given = None
    asked = given.get("use_reentrant") if isinstance(given, dict) else None
    if asked is None:  # several processes cannot recompute in the old way
        asked = settings.processes == 1
    return "reentrant" if asked else "non-reentrant"


def _is_chunked(settings: Settings) -> bool:
    """Liger's loss is passed by where tokens have weights of their own."""
    weighed = set(str(settings.values.get("loss_scale") or "default").split("+")) - _PLAIN
    own = settings.has("enable_dft_loss", "enable_channel_loss", "label_smoothing_factor")
    return settings.flag("use_liger_kernel") and not weighed and not own
