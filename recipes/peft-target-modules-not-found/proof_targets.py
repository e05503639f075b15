"""Which layers got an adapter, asked of the model; and the page's check."""

from __future__ import annotations

from typing import Any

from failure import adapt, base, config, train
from peft.tuners.tuners_utils import BaseTunerLayer

from fixbook.recipe import detect, measure, snippet

OTHER = ["q_proj", "v_proj"]
OWN = ["qkv_proj", "o_proj"]
LLAMA = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def put(targets: Any, *, experts: bool = False) -> Any:
    """Put adapters on a small model."""
    lora = config(targets)
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


def run(targets: Any, **changes: Any) -> dict[str, Any]:
    """Put adapters on, and train them."""
    model = put(targets, **changes)
    return reached(model) | {"fell": train(model)}


def check(targets: Any) -> dict[str, Any]:
    """Ask the page's check about each name."""
    model = put(targets)
    try:
        snippet("every-name")["check_targets"](model, targets)
    except RuntimeError as error:
        return {"found": True, "message": str(error)}
    return {"found": False}


@detect(found=True)
def finds_names_without_a_layer() -> dict[str, Any]:
    """Five of the seven names of Llama are not in this model."""
    return check(LLAMA)


@detect(found=False, control="finds-names-without-a-layer")
def accepts_names_with_layers() -> dict[str, Any]:
    """All names are."""
    return check(["qkv_proj", "o_proj", "gate_up_proj", "down_proj"])


@detect(found=True)
def lists_the_names() -> dict[str, Any]:
    """The model says what its linear layers are called."""
    found = snippet("names", model=base())["names"]
    return {"found": "qkv_proj" in found, "counts": str(dict(sorted(found.items())))}
