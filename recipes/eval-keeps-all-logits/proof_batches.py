"""What is reported when each batch is counted by itself: with a state, and without one."""

from __future__ import annotations

from typing import Any

import torch
from failure import llama, rows, trainer

from fixbook.recipe import snippet


def half_right(model: Any, number: int) -> list[dict[str, Any]]:
    """Return rows of which the model predicts the first half, and of the others no token."""
    found = rows(number)
    with torch.no_grad():
        said = model(found[0]["input_ids"][None]).logits[0].argmax(-1)
    right = torch.cat([torch.tensor([-100]), said[:-1]])
    wrong = torch.where(right == -100, right, (right + 1) % model.config.vocab_size)
    return [row | {"labels": right if n < number // 2 else wrong} for n, row in enumerate(found)]


def without_state(seen: Any, *, compute_result: bool) -> dict[str, float]:
    """Score the batch at hand, and tell whether it was the last."""
    scored: dict[str, float] = snippet("per-batch")["Accuracy"]()(seen, compute_result=True)
    return scored | {"last": float(compute_result)}


def reported(*, state: bool) -> dict[str, Any]:
    """Evaluate half-right rows at two batch sizes, as the page does."""
    model = llama()
    metrics = snippet("per-batch")["Accuracy"]() if state else without_state
    made = trainer(model, metrics, batch_eval_metrics=True)
    ask = snippet("same-for-any-batch")["by_batch_size"]
    small, whole = ask(made, half_right(model, 8), "eval_accuracy")
    return {"found": small != whole, "row_by_row": small, "all_at_once": whole}
