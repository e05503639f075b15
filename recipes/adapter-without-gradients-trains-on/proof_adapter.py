"""What is measured of a training run: how many tensors moved, and the norm that was logged."""

from __future__ import annotations

from typing import Any

import failure
import torch

from fixbook.recipe import measure, snippet


def run(
    made: str,
    *,
    checkpointing: bool = True,
    reentrant: bool = False,
    image: bool = False,
    hooked: bool = False,
    watched: bool = False,
    **changes: Any,
) -> dict[str, Any]:
    """Train what a function of failure.py makes, and count what has moved."""
    model = getattr(failure, made)(**changes)
    model.gradient_checkpointing_disable()
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    if hooked:
        model.enable_input_require_grads()
    kind = {"inputs_embeds": failure.IMAGE} if image else {"input_ids": failure.TOKENS}
    trainable = [p.requires_grad for p in model.parameters()]
    measure(hooks=len(model.get_input_embeddings()._forward_hooks), trainable=sum(trainable))
    log = failure.train(
        model,
        {**kind, "labels": failure.TOKENS},
        callbacks=[snippet("every-tensor-trains")["EveryTensorTrains"]()] if watched else [],
        gradient_checkpointing=checkpointing,
        gradient_checkpointing_kwargs={"use_reentrant": reentrant},
    )
    moved = [n for n, p in model.named_parameters() if not torch.equal(before[n], p)]
    adapter = sum("lora_" in name for name in moved)
    losses = [row["loss"] for row in log if "loss" in row]
    return {
        "found": adapter == 0,
        "adapter_moved": adapter,
        "of": sum("lora_" in name for name in before),
        "head_moved": len(moved) > adapter,
        "grad_norm": max(row["grad_norm"] for row in log if "grad_norm" in row),
        "loss_fell": losses[0] - losses[-1],
    }


def refused(made: str, **changes: Any) -> dict[str, Any]:
    """Train with the callback of the page, and see whether it stops the run."""
    try:
        run(made, watched=True, **changes)
    except RuntimeError as error:
        return {"found": "without a gradient" in str(error), "message": str(error)}
    return {"found": False, "message": ""}
