"""Three programs that change what a later backward needs, and their fixes."""

from typing import Any

import torch
from torch.nn import LeakyReLU, Linear, Module, Sequential
from torch.nn.functional import softplus
from torch.nn.parallel import DistributedDataParallel

FUTURE = torch.ones(6, 6, dtype=torch.bool).triu(1)


def attention(backward: Any, *, write: str = "in place") -> Any:
    """Take the future out of attention weights, after the softmax."""
    scores, value = torch.randn(4, 6, 6, requires_grad=True), torch.randn(6, 8)
    weights = scores.softmax(-1)
    if write == "new tensor":
        weights = weights.masked_fill(FUTURE, 0)
    else:
        with torch.set_grad_enabled(write != "no_grad"):
            (weights.data if write == "data" else weights)[:, FUTURE] = 0
    backward((weights @ value).pow(2).sum(), of=weights)
    return scores.grad


def adversarial(backward: Any, *, step: str = "", again: bool = False, inplace: bool = True) -> Any:
    """Train a critic, and the generator through it; return the gradients that were used."""
    generator = Sequential(Linear(4, 16), LeakyReLU(0.2, inplace=inplace), Linear(16, 3))
    critic = Sequential(Linear(3, 16), LeakyReLU(0.2, inplace=inplace), Linear(16, 1))
    optimizer = torch.optim.SGD(critic.parameters(), 0.1)
    fake, real = generator(torch.randn(8, 4)), torch.randn(8, 3)
    score = critic(fake.detach() if again else fake)
    backward((softplus(score) + softplus(-critic(real))).mean(), of=critic, retain_graph=not again)
    used = [p.grad.clone() for p in critic.parameters()]
    if step == "by hand":
        for p in critic.parameters():
            p.data.sub_(p.grad, alpha=0.1)
    elif step != "last":
        optimizer.step()
    generator.zero_grad()
    backward(softplus(-(critic(fake) if again else score)).mean(), of=generator)
    if step == "last":
        used = [p.grad.clone() for p in critic.parameters()]
        optimizer.step()
    return {"critic": used, "generator": [p.grad for p in generator.parameters()]}


class Scaled(Module):
    """A layer that divides by a running scale: a buffer, and a new tensor in each forward."""

    def __init__(self, *, clone: bool = False) -> None:
        super().__init__()
        self.linear, self.clone = Linear(4, 4), clone
        self.register_buffer("scale", torch.ones(4))

    def forward(self, x: Any) -> Any:
        """Bring the outputs to one scale."""
        y = self.linear(x)
        self.scale = 0.5 * self.scale + 0.5 * y.detach().abs().mean(0)
        return y / (self.scale.clone() if self.clone else self.scale)


def two_forwards(**layer: Any) -> Any:
    """Compare two halves of a batch under DDP, and return the gradient."""
    model = DistributedDataParallel(Scaled(**layer))
    first, second = torch.randn(8, 4).chunk(2)
    (model(first) - model(second)).pow(2).mean().backward()
    return [p.grad for p in model.parameters()]
