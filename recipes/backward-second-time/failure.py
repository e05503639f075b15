"""Five loops in which a backward comes back into a graph that has been used, and their fixes."""

from typing import Any

import torch
from torch.nn import GRU, Bilinear, Linear, Sequential, Tanh
from torch.utils.checkpoint import checkpoint


def carried_state(backward: Any, *, detach: bool = False) -> None:
    """Read a long text in chunks; each begins with the state that the last one left."""
    model, state = GRU(8, 16, batch_first=True), torch.zeros(1, 2, 16)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for chunk in torch.randn(4, 2, 6, 8):
        output, state = model(chunk, state.detach() if detach else state)
        backward(output.pow(2).mean())
        optimizer.step()
        optimizer.zero_grad()


def merged(backward: Any, *, each: bool = False, cut: bool = False, lora: bool = True) -> Any:
    """Merge what is trained, LoRA's A @ B or a full delta, into a frozen weight."""
    (frozen, a, x, bias), b = torch.randn(4, 16, 16).unbind(), torch.zeros(16, 16)
    optimizer, weight = torch.optim.SGD([t.requires_grad_() for t in (a, b, bias)], 0.1), frozen
    for step in range(4):
        weight = frozen + (a @ b if lora else b) if each or step == 0 else weight
        loss = (x @ (weight.detach() if cut else weight) + bias).pow(2).mean()
        backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    return {"loss": loss.item(), "moved": b.norm().item()}


def running_total(backward: Any, *, each: bool = False) -> Any:
    """Accumulate gradients over four batches, and add the loss up on the way."""
    model, total = Sequential(Linear(8, 8), Tanh(), Linear(8, 1)), 0.0
    for batch in torch.randn(4, 6, 8):
        loss = model(batch).pow(2).mean()
        total = total + (loss.item() if each else loss)
        backward(loss if each else total)
    return model


def two_losses(backward: Any, *, together: bool = False) -> Any:
    """Train one trunk through two losses."""
    model = Sequential(Linear(8, 8), Tanh(), Linear(8, 2))
    losses = model(torch.randn(6, 8)).pow(2).mean(0).unbind()
    for loss in [sum(losses)] if together else losses:
        backward(loss)
    return model


def shared_features(backward: Any, *, reentrant: bool = True) -> Any:
    """Let two checkpointed blocks read the features of a trained encoder."""
    encoder, x = Linear(8, 8), torch.randn(4, 8, requires_grad=True)
    features = encoder(torch.randn(4, 8)).tanh()
    for block in (Bilinear(8, 8, 8), Bilinear(8, 8, 8)):
        x = checkpoint(lambda x, block=block: block(x, features), x, use_reentrant=reentrant)
    backward(x.pow(2).mean())
    return encoder
