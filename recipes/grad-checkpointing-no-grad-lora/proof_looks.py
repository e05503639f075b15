"""What is measured of a step: hooks, gradients, and the snippet that tells the causes apart."""

from __future__ import annotations

from typing import Any

import failure
import torch

from fixbook.recipe import measure, snippet


def gradients(model: Any) -> dict[str, Any]:
    """Return the gradients of what is trained, by name."""
    return {name: p.grad for name, p in model.named_parameters() if p.requires_grad}


def took_step(*, reentrant: bool = True, **changes: Any) -> dict[str, float]:
    """Train one step, and hold its gradients against those without checkpointing."""
    model, plain = failure.checkpointed(reentrant=reentrant), failure.adapted()
    hooks = model.get_input_embeddings()._forward_hooks
    measure(hooks=len(hooks))
    loss = failure.step(model, **changes)
    measure(loss_is_a_leaf=loss.is_leaf and loss.requires_grad)
    failure.step(plain)
    got, wanted = gradients(model), gradients(plain)
    pairs = [(got[name], grad) for name, grad in wanted.items()]
    off = max((1.0 if a is None else ((a - b).norm() / b.norm()).item()) for a, b in pairs)
    return {"trained": sum(a is not None for a, _ in pairs), "of": len(pairs), "off_by": off}


def look(*, frozen: bool = False, no_grad: bool = False) -> dict[str, Any]:
    """Put the snippet of the page where the forward stands."""
    model = failure.checkpointed(frozen=frozen)
    batch = {"inputs_embeds": torch.ones(2, 8, 32), "labels": failure.TOKENS}
    with torch.set_grad_enabled(not no_grad):
        seen = snippet("without", model=model, batch=batch)
    trainable, graph = seen["trainable"], seen["loss"].requires_grad
    return {"found": bool(trainable and graph), "trainable": trainable, "graph": graph}


def trained(*, reentrant: bool = True) -> dict[str, Any]:
    """Train one step with a head beside the adapter, and count what got a gradient."""
    model = failure.checkpointed(reentrant=reentrant, modules_to_save=["lm_head"])
    failure.step(model)
    got = gradients(model)
    adapter = [grad for name, grad in got.items() if "lora_" in name]
    without = sum(grad is None for grad in adapter)
    head = got["base_model.model.lm_head.modules_to_save.default.weight"]
    return {"found": without > 0, "without": without, "of": len(adapter), "head": head is not None}
