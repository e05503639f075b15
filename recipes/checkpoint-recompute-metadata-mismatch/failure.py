"""Blocks that do not do the same twice, under gradient checkpointing."""

from functools import partial
from typing import Any

import numpy as np
import torch
from torch.nn import Dropout, Linear, Module, ModuleList, Sequential
from torch.nn.functional import scaled_dot_product_attention
from torch.utils.checkpoint import checkpoint

from fixbook.recipe import device

NOT_REENTRANT = partial(checkpoint, use_reentrant=False)


class Attention(Module):
    """Attention over a cache that each call makes longer."""

    def __init__(self, apply: Any) -> None:
        """Take what runs a block."""
        super().__init__()
        self.project, self.apply_to, self.cache = Linear(16, 16), apply, torch.zeros(1, 0, 16)

    def forward(self, x: Any, *, use_cache: bool = True) -> Any:
        """Run the block, perhaps under checkpointing."""

        def block(x: Any) -> Any:
            keys = torch.cat([self.cache.to(x.device), self.project(x)], 1)
            self.cache = keys.detach() if use_cache else self.cache
            return scaled_dot_product_attention(x, keys, keys)

        return self.apply_to(block, x)


def grown_cache(apply: Any = NOT_REENTRANT, *, call: Any = Module.__call__) -> Any:
    """Attend with a cache, as a model does that serves too."""
    torch.manual_seed(0)
    model = Attention(apply).to(device())
    call(model, torch.randn(1, 6, 16).to(device()).requires_grad_()).pow(2).sum().backward()
    return model


def evaluate_first(model: Any, loss: Any) -> None:
    """Switch to evaluation before the backward."""
    model.eval()
    loss.backward()


def switched_mode(apply: Any = NOT_REENTRANT, *, end: Any = evaluate_first) -> Any:
    """Evaluate between the forward and its backward."""
    torch.manual_seed(0)
    model = Sequential(Linear(8, 32), Dropout(0.5), Linear(32, 1)).to(device())
    loss = apply(model, torch.randn(4, 8).to(device()).requires_grad_()).pow(2).sum()
    end(model, loss)
    return model


def routed(apply: Any = NOT_REENTRANT, *, noise: Any = None) -> Any:
    """Send each of 512 tokens to one of four experts, with a noise of 0.02 in the choice."""
    torch.manual_seed(0)
    experts = ModuleList(Linear(8, 8 if i else 4) for i in range(5)).to(device())
    source = torch.Generator(device()).manual_seed(0)
    of_its_own = partial(torch.randn, generator=source, device=device())

    def mixture(x: Any) -> Any:
        scores = experts[0](x)
        scores = scores + 0.02 * (noise(scores) if noise else of_its_own(scores.shape))
        weight, choice = scores.softmax(-1).topk(1)
        rows = [(choice[:, 0] == i).nonzero()[:, 0] for i in range(4)]
        parts = [experts[n](x[i]).tanh() * weight[i] for n, i in enumerate(rows, 1)]
        return torch.zeros_like(x).index_add(0, torch.cat(rows), torch.cat(parts))

    x = torch.sin(torch.arange(4096.0)).reshape(512, 8).to(device())
    apply(mixture, x).pow(2).sum().backward()
    return experts


def routed_in_a_loop(apply: Any = NOT_REENTRANT, *, noise: Any = None) -> Any:
    """Run only the experts that have tokens, as a loop over them does; one has few, or none."""
    torch.manual_seed(0)
    experts = ModuleList(Linear(8, 8 if i else 4) for i in range(5)).to(device())
    source = torch.Generator(device()).manual_seed(1)
    of_its_own = partial(torch.randn, generator=source, device=device())

    def mixture(x: Any) -> Any:
        scores = experts[0](x)
        scores = scores + 0.2 * (noise(scores) if noise else of_its_own(scores.shape))
        weight, choice = scores.softmax(-1).topk(1)
        output = torch.zeros_like(x)
        for expert in choice.unique().tolist():
            rows = (choice[:, 0] == expert).nonzero()[:, 0]
            part = experts[1 + expert](x[rows]).tanh() * weight[rows]
            output = output.index_add(0, rows, part)
        return output

    x = torch.sin(torch.arange(64.0)).reshape(8, 8).to(device())
    apply(mixture, x).pow(2).sum().backward()
    return experts


def masked(apply: Any = NOT_REENTRANT, *, by_numpy: bool = True) -> Any:
    """Mask half of the features, with random numbers of NumPy or of PyTorch."""
    torch.manual_seed(0)
    layer, source = Linear(8, 8).to(device()), np.random.default_rng(0)

    def block(x: Any) -> Any:
        chance = torch.from_numpy(source.random((4, 8))) if by_numpy else torch.rand(4, 8)
        return layer(x).tanh() * (chance < 0.5).to(x.device)

    apply(block, torch.randn(4, 8).to(device()).requires_grad_()).pow(2).sum().backward()
    return layer
