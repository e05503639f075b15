"""A contrastive loss under DDP: two forwards, then one backward, with reentrant checkpointing."""

from functools import partial
from typing import Any

import torch
from peft import PeftModel
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel


def embed(ddp: Any, ids: Any) -> Any:
    """Return one vector for each text."""
    return ddp(input_ids=ids, output_hidden_states=True).hidden_states[-1].mean(1)


def bypass(ddp: Any, ids: Any) -> Any:
    """Return the same, from the module inside DDP."""
    return embed(ddp.module, ids)


def backward(_: Any, compute_loss: Any) -> Any:
    """Compute the loss and its gradients, and return it."""
    loss = compute_loss()
    loss.backward()
    return loss


def checkpoint(model: Any) -> None:
    """Turn checkpointing on, as it long was by default."""
    model.gradient_checkpointing_enable({"use_reentrant": True})


def train(  # noqa: PLR0913
    model: PeftModel,
    pairs: Any,
    step: Any,
    *,
    checkpointing: Any = checkpoint,
    wrap: Any = DistributedDataParallel,
    together: bool = False,
    embed: Any = embed,
) -> list[float]:
    """Train adapters on pairs of texts, and return the losses."""
    model.enable_input_require_grads()
    checkpointing(model)
    ddp = wrap(model.train())
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)

    def compute_loss(left: Any, right: Any) -> Any:
        if together:
            one, two = embed(ddp, torch.cat([left, right])).chunk(2)
        else:
            one, two = embed(ddp, left), embed(ddp, right)
        return cross_entropy(one @ two.T, torch.arange(len(left), device=left.device))

    losses = []
    for left, right in pairs:
        losses.append(step(ddp, partial(compute_loss, left, right)).item())
        optimizer.step()
        optimizer.zero_grad()
    return losses
