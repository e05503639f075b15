"""Blocks that do not do the same twice, under gradient checkpointing."""

from functools import partial
from typing import Any

import numpy as np
import torch
from torch.nn import Dropout, Linear, ModuleList, Sequential
from torch.nn.functional import scaled_dot_product_attention
from torch.utils.checkpoint import checkpoint

NOT_REENTRANT = partial(checkpoint, use_reentrant=False)


def grown_cache(apply: Any = NOT_REENTRANT, *, kept: bool = True) -> Any:
    """Attend to a cache that each call makes longer."""
    torch.manual_seed(0)
    project, cache = Linear(16, 16), torch.zeros(1, 0, 16)

    def attention(x: Any) -> Any:
        nonlocal cache
        keys = torch.cat([cache, project(x)], 1)
        cache = keys.detach() if kept else cache
        return scaled_dot_product_attention(x, keys, keys)

    apply(attention, torch.randn(1, 6, 16, requires_grad=True)).pow(2).sum().backward()
    return project


def switched_mode(apply: Any = NOT_REENTRANT, *, late: bool = False) -> Any:
    """Evaluate between the forward and its backward."""
    torch.manual_seed(0)
    model = Sequential(Linear(8, 32), Dropout(0.5), Linear(32, 1))
    loss = apply(model, torch.randn(4, 8, requires_grad=True)).pow(2).sum()
    model.train(mode=late)
    loss.backward()
    return model


def routed(apply: Any = NOT_REENTRANT, *, own: bool = True) -> Any:
    """Send each of 512 tokens to one of four experts, with a noise of 0.02 in the choice."""
    torch.manual_seed(0)
    experts = ModuleList(Linear(8, 8 if i else 4) for i in range(5))
    source = torch.Generator().manual_seed(0) if own else None

    def mixture(x: Any) -> Any:
        scores = experts[0](x)
        scores = scores + 0.02 * torch.randn(scores.shape, generator=source)
        weight, choice = scores.softmax(-1).topk(1)
        rows = [(choice[:, 0] == i).nonzero()[:, 0] for i in range(4)]
        parts = [experts[n](x[i]).tanh() * weight[i] for n, i in enumerate(rows, 1)]
        return torch.zeros_like(x).index_add(0, torch.cat(rows), torch.cat(parts))

    apply(mixture, torch.sin(torch.arange(4096.0)).reshape(512, 8)).pow(2).sum().backward()
    return experts


def masked(apply: Any = NOT_REENTRANT, *, by_numpy: bool = True) -> Any:
    """Mask half of the features, with random numbers of NumPy or of PyTorch."""
    torch.manual_seed(0)
    layer, source = Linear(8, 8), np.random.default_rng(0)

    def block(x: Any) -> Any:
        chance = torch.from_numpy(source.random((4, 8))) if by_numpy else torch.rand(4, 8)
        return layer(x).tanh() * (chance < 0.5)

    apply(block, torch.randn(4, 8, requires_grad=True)).pow(2).sum().backward()
    return layer
