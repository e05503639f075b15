"""What is seen of generation: how it samples, and where the first inf or NaN comes from."""

from __future__ import annotations

from typing import Any

import torch
from failure import count_on, counting

from fixbook.recipe import detect, measure, snippet


def look(**changes: Any) -> dict[str, Any]:
    """Run one batch through what the page offers."""
    model = counting(**changes)
    asked = snippet(
        "find-it",
        model=model,
        batch={"input_ids": torch.tensor([[10, 11, 12, 13, 14, 15, 16, 17]])},
    )
    first = asked["overflowed"][:1]
    return {"found": bool(first), "first": (first or [""])[0], "weights": asked["weights"]}


def overflowing(*, dtype: torch.dtype = torch.float16, **options: Any) -> dict[str, Any]:
    """Let the model with large activations count on; measure how `generate` then samples."""
    model = counting(outliers=True, dtype=dtype)
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
    return count_on(model, **options)


@detect(found=True)
def names_the_layer() -> dict[str, Any]:
    """The first module that gives inf or NaN, and no weight that is."""
    return look(outliers=True, dtype=torch.float16)


@detect(found=False, control="names-the-layer")
def nothing_in_bfloat16() -> dict[str, Any]:
    """The same in bfloat16."""
    return look(outliers=True, dtype=torch.bfloat16)


@detect(found=True)
def names_the_weight() -> dict[str, Any]:
    """The weight that is NaN."""
    return look(nan=True)


@detect(found=True)
def greedy_with_a_row_of_nan() -> dict[str, Any]:
    """Greedy decoding takes NaN for the largest of all."""
    return look(nan=True) | count_on(counting(nan=True), do_sample=False)
