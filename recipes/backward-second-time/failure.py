"""Loops in which a backward comes back into a graph that has been used, and their fixes."""

from functools import partial
from typing import Any

import torch
from torch.nn import GRU, Bilinear, Linear, Sequential, Tanh
from torch.utils.checkpoint import checkpoint

from fixbook.recipe import device

REENTRANT = partial(checkpoint, use_reentrant=True)


def carried_state(backward: Any, *, cut: Any = None) -> None:
    """Read a long text in chunks; each begins with the state that the last one left."""
    model, state = GRU(8, 16, batch_first=True).to(device()), torch.zeros(1, 2, 16, device=device())
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for chunk in torch.randn(4, 2, 6, 8).to(device()):
        output, state = model(chunk, cut(state) if cut else state)
        backward(output.pow(2).mean())
        optimizer.step()
        optimizer.zero_grad()


def merged(backward: Any, *, each: Any = None, cut: bool = False, lora: bool = True) -> Any:
    """Merge what is trained, LoRA's A @ B or a full delta, into a frozen weight."""
    frozen, a, x, bias = torch.randn(4, 16, 16).to(device()).unbind()
    b = torch.zeros(16, 16, device=device())
    optimizer = torch.optim.SGD([t.requires_grad_() for t in (a, b, bias)], 0.1)
    weight = frozen + (a @ b if lora else b)
    for _ in range(4):
        weight = each(frozen, a, b) if each else weight
        loss = (x @ (weight.detach() if cut else weight) + bias).pow(2).mean()
        backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    used = (weight - frozen).norm().item()  # how much of what was trained the last forward had
    return {"loss": loss.item(), "moved": b.norm().item(), "used": used}


def running_total(backward: Any, *, add: Any = torch.add) -> Any:
    """Accumulate gradients over four batches, and add the loss up on the way."""
    model, total = Sequential(Linear(8, 8), Tanh(), Linear(8, 1)).to(device()), 0.0
    for batch in torch.randn(4, 6, 8).to(device()):
        loss = model(batch).pow(2).mean()
        total = add(loss, total)
        if isinstance(total, torch.Tensor):
            backward(total)
    return model


def two_losses(backward: Any) -> Any:
    """Train one trunk through two losses."""
    model = Sequential(Linear(8, 8), Tanh(), Linear(8, 2)).to(device())
    backward(*model(torch.randn(6, 8).to(device())).pow(2).mean(0).unbind())
    return model


def by_closure(backward: Any, *, call: Any = REENTRANT) -> Any:
    """Let two checkpointed blocks read the features of a trained encoder."""
    encoder, x = Linear(8, 8).to(device()), torch.randn(4, 8).to(device()).requires_grad_()
    features = encoder(torch.randn(4, 8).to(device())).tanh()
    for block in (Bilinear(8, 8, 8).to(device()), Bilinear(8, 8, 8).to(device())):
        x = call(lambda x, block=block: block(x, features), x)
    backward(x.pow(2).mean())
    return encoder


def by_dict(backward: Any, *, call: Any = REENTRANT) -> Any:
    """Let the second of two checkpointed blocks read what the first left in a dict."""
    encoder, x = Linear(8, 8).to(device()), torch.randn(4, 8).to(device()).requires_grad_()
    kept: dict[str, Any] = {}
    for block in (lambda x: kept.update(keys=encoder(x)) or x, lambda x: x * kept["keys"]):
        x = call(block, x)
    backward(x.pow(2).mean())
    return encoder
