"""What is reported when each batch is counted by itself: with a state, and without one."""

from __future__ import annotations

from typing import Any

import torch
from failure import llama, rows, trainer

from fixbook.recipe import device, snippet


def half_right(model: Any, number: int) -> list[dict[str, Any]]:
    """Return samples of which the model predicts the first half, and of the others no token."""
    found = rows(number)
    with torch.no_grad():
        said = model(found[0]["input_ids"][None].to(device())).logits[0].argmax(-1).cpu()
    right = torch.cat([torch.tensor([-100]), said[:-1]])
    wrong = torch.where(right == -100, right, (right + 1) % model.config.vocab_size)
    return [row | {"labels": right if n < number // 2 else wrong} for n, row in enumerate(found)]


def without_state(seen: Any, *, compute_result: bool) -> dict[str, float]:
    """Score the batch at hand, and tell whether it was the last."""
    scored: dict[str, float] = snippet("per-batch")["Accuracy"]()(seen, compute_result=True)
    return scored | {"last": float(compute_result)}


def reported(*, state: bool) -> dict[str, Any]:
    """Evaluate half-right samples one by one and all at once."""
    model = llama().to(device())
    metrics = snippet("per-batch")["Accuracy"]() if state else without_state
    made = trainer(model, metrics, batch_eval_metrics=True, use_cpu=device() == "cpu")
    data, found = half_right(model, 8), []
    for size in (1, len(data)):
        made.args.per_device_eval_batch_size = size
        found.append(made.evaluate(data)["eval_accuracy"])
    return {"found": found[0] != found[1], "row_by_row": found[0], "all_at_once": found[1]}
