"""The Trainer of transformers, with a script's arguments, and TRL's on top of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.fit.plan import Adapter
from fixbook.fit.reading import CannotTellError, Reading, Settings, optimizer, precision, refuse
from fixbook.text import say
from fixbook.versions import parse_version

if TYPE_CHECKING:
    from fixbook.fit.plan import Attention, Checkpointing

BATCH = ("per_device_train_batch_size", "gradient_accumulation_steps")
NOT_PREDICTED = (
    "torch_compile",
    "deepspeed",
    "fsdp",
    "fsdp_config",
    "activation_offloading",
    "optim_target_modules",
    "galore",
)
LINES: dict[str, dict[str, Any]] = {
    "checkpointing": {"gradient_checkpointing": True},
    "adamw-fused": {"optim": "adamw_torch_fused"},
    "adamw-8bit": {"optim": "adamw_bnb_8bit"},
    "adamw-8bit-paged": {"optim": "paged_adamw_8bit"},
    "sdpa": {"attn_implementation": "sdpa"},
    "bfloat16": {"dtype": "bfloat16", "bf16": True},
    "chunked": {"use_liger_kernel": True},
    "nf4": {"load_in_4bit": True, "bnb_4bit_quant_type": "nf4"},
    "lora": {"use_peft": True, "lora_r": 16, "lora_target_modules": "all-linear"},
}
_CHECKPOINTED = "0.24"  # TRL: by default, in the releases that were read
_CHUNKED = "1.16"  # TRL: its default loss makes no whole logits, in the releases that were read


def read(settings: Settings, release: str) -> Reading:
    """Read what the Trainer's arguments say."""
    key = settings.has("block_size", "cutoff_len", "max_length")
    length = settings.number(key, 1) if key else settings.length
    if length is None:
        raise CannotTellError(
            say("it does not say how long the longest sequence is"),
            say("say it with --length: no other setting moves the peak as much"),
        )
    plan = _common(settings, {"length": length}, autocast="")
    plan["checkpointing"] = checkpointing(settings, default=False)
    plan["loss"] = "chunked" if settings.flag("use_liger_kernel") else "whole"
    return Reading("transformers", release, model_name(settings), plan, settings)


def read_trl(settings: Settings, release: str) -> Reading:
    """Read what a configuration of TRL says.

    Raises:
        CannotTellError: It is for another trainer than that of supervised fine-tuning.
    """
    other = settings.has("num_generations", "beta", "ref_model", "reward_funcs", "rl")
    if other:
        raise CannotTellError(
            say("{key} is set: only supervised fine-tuning is predicted so far", key=other)
        )
    now = parse_version(release)
    key = "max_seq_length" if "max_seq_length" in settings.values else "max_length"
    length = settings.number(key, 1024)
    plan = _common(settings, {"length": length}, autocast="bfloat16")
    plan["checkpointing"] = checkpointing(settings, default=now >= parse_version(_CHECKPOINTED))
    kind = settings.get("loss_type", "nll")
    chunked = kind == "chunked_nll" or (kind == "nll" and now >= parse_version(_CHUNKED))
    plan["loss"] = "chunked" if chunked or settings.flag("use_liger_kernel") else "whole"
    if plan["quantized"] and plan["adapter"]:
        plan["adapter"] = adapter(settings, "bfloat16")
    return Reading("trl", release, model_name(settings), plan, settings)


def _common(settings: Settings, plan: dict[str, Any], autocast: str) -> dict[str, Any]:
    refuse(settings, *NOT_PREDICTED)
    plan["batch"] = settings.number(BATCH[0], 8)
    plan["autocast"] = mixed(settings, autocast)
    plan["weights"] = _weights(settings, "float32" if autocast else "auto")
    plan["quantized"] = "nf4" if settings.flag("load_in_4bit") else ""
    if settings.flag("load_in_8bit"):
        plan["quantized"] = "int8"
    plan["double_quantized"] = settings.flag("use_bnb_nested_quant")
    plan["prepared"] = False
    plan["adapter"] = adapter(settings) if settings.flag("use_peft") else None
    if plan["quantized"] and not plan["adapter"]:
        raise CannotTellError(
            say("the weights are quantized and no adapter is trained"), say("set use_peft")
        )
    plan["optimizer"] = optimizer(settings, "optim")
    plan["padded"] = plan["batch"] > 1 and not settings.has("packing", "padding_free")
    plan["attention"] = attention(settings.get("attn_implementation", "sdpa"), plan)
    plan["accumulates"] = settings.number(BATCH[1], 1) > 1
    plan["clips"] = bool(settings.get("max_grad_norm", 1.0))
    return plan


def mixed(settings: Settings, default: str = "") -> str:
    """Return what mixed precision computes in; empty without."""
    if settings.flag("fp16"):
        return "float16"
    return "bfloat16" if settings.flag("bf16", default=bool(default)) else ""


def attention(name: Any, plan: dict[str, Any]) -> Attention:
    """Return the operator that CUDA takes for an implementation of attention.

    Raises:
        CannotTellError: It is none that is known here.
    """
    word = str(name).lower()
    if word in {"eager", "disabled"}:
        return "eager"
    if "flash" in word or word == "fa2":
        plan["padded"] = False  # it takes the padding out
        return "flash"
    if word in {"sdpa", "auto"}:
        return "efficient" if plan["padded"] else "flash"
    raise CannotTellError(say("the memory of {name} attention is not known here", name=word[:60]))


def checkpointing(settings: Settings, *, default: bool) -> Checkpointing:
    """Return which form of gradient checkpointing is on."""
    key = "gradient_checkpointing"
    if "activation_checkpointing" in settings.values:
        key = "activation_checkpointing"
    if not settings.flag(key, default=default):
        return ""
    reentrant = settings.values.get(f"{key}_kwargs.use_reentrant")
    return "reentrant" if reentrant else "non-reentrant"


def adapter(settings: Settings, precision_of_it: Any = "float32") -> Adapter:
    """Return the adapter of ``lora_`` keys as TRL calls them."""
    return Adapter(
        rank=settings.number("lora_r", 16),
        targets=settings.words("lora_target_modules"),
        dora=settings.flag("use_dora"),
        saved=settings.words("lora_modules_to_save"),
        precision=precision_of_it,
    )


def model_name(settings: Settings) -> str:
    """Return what the model is called; empty if nothing says."""
    return str(settings.get("model_name_or_path") or settings.get("model") or "")


def _weights(settings: Settings, default: str) -> str:
    for key in ("dtype", "torch_dtype", "model_init_kwargs.dtype", "model_init_kwargs.torch_dtype"):
        if key in settings.values:
            return str(precision(settings.values[key], "auto"))
    return str(settings.get("dtype", default))
