"""Programs that change what a later backward needs, and their fixes."""

from typing import Any

import torch
from torch.nn import LeakyReLU, Linear, Module, Sequential
from torch.nn.functional import softplus
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

from fixbook.recipe import device
from fixbook.recipe.helpers import tiny_llama

FUTURE = torch.ones(6, 6, dtype=torch.bool).triu(1)


def attention(
    backward: Any, *, write: str = "in place", mask: Any = None, again: Any = None
) -> Any:
    """Take the future out of attention weights, after the softmax; `again` checkpoints it."""
    scores = torch.randn(4, 6, 6, device=device(), requires_grad=True)
    value, future = torch.randn(6, 8, device=device()), FUTURE.to(device())

    def attend(scores: Any) -> Any:
        weights = scores.softmax(-1)
        if mask:
            weights = mask(weights, future)
        else:
            with torch.set_grad_enabled(write != "no_grad"):
                (weights.data if write == "data" else weights)[:, future] = 0
        return weights

    weights = checkpoint(attend, scores, use_reentrant=True) if again else attend(scores)
    backward((weights @ value).pow(2).sum(), of=weights)
    return scores.grad


def adversarial(
    backward: Any, *, step: str = "", train: Any = None, inplace: bool = True, critic: Any = None
) -> Any:
    """Train a critic, and the generator through it; return the gradients that were used."""
    generator = Sequential(Linear(4, 16), LeakyReLU(0.2, inplace=inplace), Linear(16, 3))
    critic = critic or Sequential(Linear(3, 16), LeakyReLU(0.2, inplace=inplace), Linear(16, 1))
    optimizer = torch.optim.SGD(critic.to(device()).parameters(), 0.1)
    real, noise = torch.randn(8, 3, device=device()), torch.randn(8, 4, device=device())
    fake = generator.to(device())(noise)
    if train:
        return train(generator, critic, optimizer, fake, real)
    score = critic(fake)
    backward((softplus(score) + softplus(-critic(real))).mean(), of=critic, retain_graph=True)
    used = [p.grad.clone() for p in critic.parameters()]
    if step == "by hand":
        for p in critic.parameters():
            p.data.sub_(p.grad, alpha=0.1)
    elif step != "last":
        optimizer.step()
    generator.zero_grad()
    backward(softplus(-score).mean(), of=generator)
    if step == "last":
        used = [p.grad.clone() for p in critic.parameters()]
        optimizer.step()
    return {"critic": used, "generator": [p.grad for p in generator.parameters()]}


def multimodal(*, write: Any = None, view: bool = False) -> float:
    """Put features of an image among embeddings, which LoRA has made to require gradients."""
    model = tiny_llama().to(device()).requires_grad_(False)  # noqa: FBT003
    model.enable_input_require_grads()
    ids, features = (
        torch.tensor([[2, 5, 5, 7]], device=device()),
        torch.ones(2, 32, device=device()),
    )
    embeds, images = model.get_input_embeddings()(ids), ids == 5
    if write:
        embeds = write(embeds, images, features)
    else:
        (embeds.view(1, 4, 32) if view else embeds)[images] = features
    return float(model(inputs_embeds=embeds).logits.sum())


class Scaled(Module):
    """A layer that divides by a running scale: a buffer, and a new tensor in each forward."""

    def __init__(self, *, take: Any = None) -> None:
        super().__init__()
        self.linear, self.take = Linear(4, 4), take
        self.register_buffer("scale", torch.ones(4))

    def forward(self, x: Any) -> Any:
        """Bring the outputs to one scale."""
        y = self.linear(x)
        self.scale = 0.5 * self.scale + 0.5 * y.detach().abs().mean(0)
        return y / (self.take(self) if self.take else self.scale)


def two_forwards(**layer: Any) -> Any:
    """Compare two halves of a batch under DDP, and return the gradient."""
    model = DistributedDataParallel(Scaled(**layer).to(device()))
    first, second = torch.randn(8, 4, device=device()).chunk(2)
    (model(first) - model(second)).pow(2).mean().backward()
    return [p.grad for p in model.parameters()]
