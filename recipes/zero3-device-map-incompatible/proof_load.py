"""What is measured of a model that was loaded for DeepSpeed."""

from __future__ import annotations

from typing import Any

from failure import load, train
from transformers import LlamaForCausalLM

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import join_ranks, tiny_llama


def loaded(*, chosen: bool = False, **options: Any) -> Any:
    """Write a checkpoint and load it; ``chosen``: with the options of the page."""
    join_ranks()
    tiny_llama().save_pretrained("checkpoint")
    asked = (lambda: snippet("ask-first")["options"]) if chosen else None
    if chosen:
        del options["device_map"]  # the page's options say whether there is one
    listen()
    model = load("checkpoint", ask=asked, **options)
    every = list(model.parameters())
    measure(parameters=len(every), numbers=sum(p.numel() for p in every))
    measure(partitioned=sum(hasattr(p, "ds_id") for p in every))
    return model


def listen() -> None:
    """Record what transformers is told about memory, and whether it is told this device."""
    read: Any = LlamaForCausalLM.from_pretrained

    def heard(*given: Any, **options: Any) -> Any:
        measure(told=str(options.get("low_cpu_mem_usage")))
        where = options.get("device_map")
        measure(here=isinstance(where, dict) and [str(on) for on in where.values()] == [device()])
        return read(*given, **options)

    vars_of: Any = LlamaForCausalLM
    vars_of.from_pretrained = heard


def trained(*, stage: int = 3, **options: Any) -> dict[str, Any]:
    """Load, train for two steps, and say how far the loss fell."""
    model = loaded(stage=stage, **options)
    measure(found=checked(model)["found"])
    first, second = train(model, stage=stage)
    return {"loss": first, "fell": first - second}


def looked(**options: Any) -> dict[str, Any]:
    """Load a model, and check it as the page does."""
    return checked(loaded(**options))


def checked(model: Any) -> dict[str, Any]:
    """Put the page's question to a model that has just been loaded."""
    try:
        snippet("check", model=model)
    except AssertionError as error:
        return {"found": True, "said": str(error)}
    return {"found": False, "said": ""}
