"""A contrastive loss under DDP: two forwards, then one backward, with reentrant checkpointing."""

from typing import Any

import torch
from peft import PeftModel
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel


def embed(ddp: Any, ids: Any) -> Any:
    """Return one vector for each text."""
    return ddp(input_ids=ids, output_hidden_states=True).hidden_states[-1].mean(1)


def train(
    model: PeftModel,
    pairs: Any,
    check: Any,
    *,
    reentrant: bool = True,
    together: bool = False,
    **options: Any,
) -> list[float]:
    """Train adapters on pairs of texts, and return the losses.

    Args:
        model: A model with LoRA adapters.
        pairs: Two tensors of ids for each step.
        check: What is called after each backward, with the model.
        reentrant: The kind of checkpointing.
        together: Whether both halves of a batch go through one forward.
        **options: For DDP.
    """
    model.enable_input_require_grads()
    model.gradient_checkpointing_enable({"use_reentrant": reentrant})
    ddp = DistributedDataParallel(model.train(), **options)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    losses = []
    for left, right in pairs:
        if together:
            one, two = embed(ddp, torch.cat([left, right])).chunk(2)
        else:
            one, two = embed(ddp, left), embed(ddp, right)
        loss = cross_entropy(one @ two.T, torch.arange(len(left)))
        loss.backward()
        check(model)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses
