"""The forward pass up to the loss, as trainers call it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

if TYPE_CHECKING:
    from torch import nn

    from fixbook.fit.plan import Plan

CHUNK = 256  # tokens whose logits exist at once, where a loss is computed in parts


def loss_of(
    model: nn.Module, plan: Plan, ids: torch.Tensor, mask: torch.Tensor | None
) -> tuple[torch.Tensor, Any]:
    """Return the loss of a batch, and the outputs that a program may hold on to.

    Args:
        model: The model.
        plan: How it is trained.
        ids: Tokens, of shape (batch, length).
        mask: Of the same shape; None where no sequence is padded.
    """
    mixed: Any = contextlib.nullcontext()
    if plan.autocast:
        mixed = torch.autocast("cpu", getattr(torch, plan.autocast))
    with mixed:
        if plan.loss == "chunked":
            return _in_chunks(model, ids, mask), None
        out = model(input_ids=ids, attention_mask=mask, labels=ids)
    if plan.autocast:  # accelerate hands out float32, whatever was computed in
        out["logits"] = out["logits"].float()
    return out["loss"], out


def _in_chunks(model: Any, ids: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
    """Return the loss with the logits of a few tokens at a time, computed again backwards."""
    whole = model.get_base_model() if hasattr(model, "get_base_model") else model
    hidden = whole.base_model(input_ids=ids, attention_mask=mask)[0].flatten(0, 1)
    head = whole.get_output_embeddings()

    def part(states: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(head(states).float(), labels, reduction="sum")

    total: torch.Tensor = hidden.new_zeros((), dtype=torch.float32)
    for states, labels in zip(hidden.split(CHUNK), ids.flatten().split(CHUNK), strict=True):
        total = total + checkpoint(part, states, labels, use_reentrant=False)
    return total / ids.numel()
