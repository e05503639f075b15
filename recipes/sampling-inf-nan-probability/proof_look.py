"""What is seen of generation: how it samples, and where the first inf or NaN comes from."""

from __future__ import annotations

from typing import Any

import torch
from failure import count_on, counting, sample
from transformers import AutoModelForCausalLM

from fixbook.recipe import device, measure, snippet


def look(*, padded: bool = False, kept: bool = False, **changes: Any) -> dict[str, Any]:
    """Run one batch through what the page offers.

    Args:
        padded: Whether a mask hides the first tokens.
        kept: Whether the model keeps a weight in float8, and another one elsewhere.
        **changes: What is changed of the model.
    """
    model = counting(**changes).to(device())
    if kept:
        small = torch.ones(4, device=device()).to(torch.float8_e4m3fn)
        model.small = torch.nn.Parameter(small, requires_grad=False)
        model.away = torch.nn.Parameter(torch.empty(4, device="meta"))
    batch = {"input_ids": torch.tensor([[10, 11, 12, 13, 14, 15, 16, 17]], device=device())}
    if padded:
        batch["attention_mask"] = (batch["input_ids"] > 12).long()
    asked = snippet("find-it", model=model, batch=batch)
    first, weights = asked["overflowed"][:1], asked["weights"]
    return {"found": bool(first or weights), "first": (first or [""])[0], "weights": weights}


def load(dtype: Any) -> Any:
    """Save the model with large activations, and load it; in bfloat16 by the page's line."""
    counting(outliers=True).save_pretrained("counting")
    names = {"torch": torch, "AutoModelForCausalLM": AutoModelForCausalLM}
    if dtype == torch.bfloat16:
        return snippet("bfloat16", path="counting", **names)["model"]
    loader: Any = AutoModelForCausalLM  # it has no types
    return loader.from_pretrained("counting", dtype=dtype)


def overflowing(
    *, dtype: torch.dtype = torch.float16, place: str = "cpu", **options: Any
) -> dict[str, Any]:
    """Let the model with large activations count on; measure how `generate` then samples."""
    model = load(dtype).to(place)
    made = model._get_logits_processor

    def watched(*given: Any, **named: Any) -> Any:
        processors = made(*given, **named)
        measure(
            do_sample=named["generation_config"].do_sample,
            processors=[type(one).__name__ for one in processors],
            temperature=next((p.temperature for p in processors if hasattr(p, "temperature")), 1.0),
        )
        return processors

    model._get_logits_processor = watched
    found = count_on(model, **options)
    if place == "cuda":
        torch.cuda.synchronize()
    return found


def divided(*, temperature: float = 1e-4, cast: bool = False) -> dict[str, Any]:
    """Sample by hand in fp16; ``cast``: as the page's line does."""

    def soften(logits: Any, temperature: float) -> Any:
        return snippet("divide", logits=logits, temperature=temperature)["probabilities"]

    model = counting(dtype=torch.float16)
    return sample(model, temperature=temperature, soften=soften if cast else None)
