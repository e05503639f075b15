"""Which layers got an adapter, asked of the model; and the page's check."""

from __future__ import annotations

from typing import Any

import torch
from failure import adapt, base, config, train
from peft import PeftModel
from peft.tuners.tuners_utils import BaseTunerLayer
from transformers import (
    AutoModel,
    AutoModelForCausalLM,
    Gemma2Config,
    GPT2Config,
    Qwen2Config,
    Qwen3MoeConfig,
)

from fixbook.recipe import device, measure, snippet

OTHER = ["q_proj", "v_proj"]
OWN = ["qkv_proj", "o_proj"]
LLAMA = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
WIDE: dict[str, Any] = {"vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 2}
USUAL: dict[str, tuple[Any, list[str]]] = {
    "gpt2": (GPT2Config(vocab_size=64, n_embd=32, n_layer=2, n_head=4), ["c_attn", "mlp.c_proj"]),
    "qwen2": (Qwen2Config(**WIDE, intermediate_size=64, num_attention_heads=4), LLAMA),
    "qwen3-moe": (
        Qwen3MoeConfig(
            **WIDE,
            moe_intermediate_size=16,
            num_experts=4,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=8,
        ),
        LLAMA,
    ),
    "gemma2": (Gemma2Config(**WIDE, intermediate_size=64, num_attention_heads=4), LLAMA),
}


def put(lora: Any, *, experts: bool = False) -> Any:
    """Put adapters on a small model."""
    given = lora.target_modules
    measure(given=str(sorted(given) if isinstance(given, set) else given))
    return adapt(base(experts=experts), lora)


def reached(model: Any) -> dict[str, Any]:
    """Count the layers that have an adapter, and name them."""
    layers = [name for name, m in model.named_modules() if isinstance(m, BaseTunerLayer)]
    return {
        "adapters": len(layers),
        "names": " ".join(sorted({name.rsplit(".", 1)[-1] for name in layers})),
        "trainable": sum(p.numel() for p in model.parameters() if p.requires_grad),
    }


def run(lora: Any) -> dict[str, Any]:
    """Put adapters on, and train them."""
    model = put(lora)
    return reached(model) | {"fell": train(model)}


def place(targets: Any, **changes: Any) -> dict[str, Any]:
    """Put adapters on, and look where they are."""
    return reached(put(config(targets), **changes))


def load(*, inner: bool) -> dict[str, Any]:
    """Save an adapter whose names are whole paths, and load it onto its class or the model inside.

    Args:
        inner: Load the base as AutoModel does, without the head and one level further in.
    """
    path = r"model\.layers\.\d+\..*qkv_proj"
    adapt(base(), config(path)).save_pretrained("adapter")
    base().save_pretrained("base")
    loader: Any = AutoModel if inner else AutoModelForCausalLM
    return reached(PeftModel.from_pretrained(loader.from_pretrained("base"), "adapter"))


def with_trl(names: list[str]) -> dict[str, Any]:
    """Let TRL make the configuration, as its scripts do."""
    from trl import ModelConfig, get_peft_config

    lora: Any = get_peft_config(ModelConfig(use_peft=True, lora_target_modules=names))
    measure(given=type(lora.target_modules).__name__)
    return reached(adapt(base(), lora))


def check(lora: Any, wanted: Any) -> dict[str, Any]:
    """Ask the page's check about each name."""
    return _checked(put(lora), wanted)


def check_usual(family: str) -> dict[str, Any]:
    """Ask the page's check about a usual model with its usual names."""
    made, names = USUAL[family]
    torch.manual_seed(0)
    model: Any = AutoModelForCausalLM.from_config(made)
    return _checked(adapt(model.to(device()), config(names)), names)


def _checked(model: Any, wanted: Any) -> dict[str, Any]:
    try:
        snippet("every-name")["check_targets"](model, wanted)
    except RuntimeError as error:
        return {"found": True, "message": str(error)}
    return {"found": False} | reached(model)


def names_of_layers() -> dict[str, Any]:
    """Print what the linear layers of the model are called."""
    found = snippet("names", model=base())["names"]
    return {"found": "qkv_proj" in found, "counts": str(dict(sorted(found.items())))}
