"""Mistakes with tensors, autograd and modules: what torch itself says of each."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional


def shapes_do_not_multiply() -> None:
    """A layer gets one feature too few."""
    nn.Linear(64, 8)(torch.zeros(4, 63))


def token_beyond_the_vocabulary() -> None:
    """An added token has no row in the embedding."""
    nn.Embedding(32_000, 16)(torch.tensor([[1, 32_001]]))


def label_beyond_the_classes() -> None:
    """A label of the wrong data set."""
    functional.cross_entropy(torch.zeros(4, 10), torch.tensor([0, 1, 2, 10]))


def changed_in_place() -> None:
    """A residual is added in place to what the activation saved."""
    hidden = torch.ones(4, requires_grad=True).exp()
    hidden += 1
    hidden.sum().backward()


def backward_twice() -> None:
    """One graph for two losses."""
    loss = (torch.ones(3, requires_grad=True) ** 2).sum()
    loss.backward()
    loss.backward()


def batch_of_unequal_lengths() -> None:
    """Sequences are stacked without padding."""
    torch.stack([torch.zeros(12), torch.zeros(9)])


def loss_without_a_graph() -> None:
    """Everything is frozen."""
    nn.Linear(2, 2).requires_grad_(False)(torch.ones(1, 2)).sum().backward()


def loss_that_is_no_scalar() -> None:
    """The mean was forgotten."""
    torch.ones(3, requires_grad=True).mul(2).backward()


def heads_do_not_divide() -> None:
    """A hidden size that the heads do not divide."""
    nn.MultiheadAttention(embed_dim=130, num_heads=8)


def view_of_transposed() -> None:
    """A view where a copy is needed."""
    torch.zeros(2, 3, 4).transpose(1, 2).view(2, 12)


def mixed_dtypes() -> None:
    """A layer in float32, its input in bfloat16."""
    nn.Linear(4, 4)(torch.zeros(1, 4, dtype=torch.bfloat16))


def nothing_to_optimise() -> None:
    """The filter for trainable parameters leaves none."""
    frozen = nn.Linear(2, 2).requires_grad_(False)
    torch.optim.AdamW(p for p in frozen.parameters() if p.requires_grad)


def checkpoint_of_another_size() -> None:
    """Weights of a larger model."""
    nn.Sequential(nn.Linear(8, 8)).load_state_dict(nn.Sequential(nn.Linear(16, 8)).state_dict())


def sizes_do_not_match() -> None:
    """Image and text tokens are put together along the wrong dimension."""
    torch.cat([torch.zeros(2, 16, 8), torch.zeros(2, 16, 9)], dim=1)


def not_for_this_type() -> None:
    """An operator without a kernel for the type."""
    torch.ones(2, 2, dtype=torch.bool).inverse()


def gradient_into_numpy() -> None:
    """A metric is computed on what still has a graph."""
    torch.ones(2, requires_grad=True).numpy()


def infinite_probability() -> None:
    """Sampling from logits that overflowed."""
    torch.multinomial(torch.tensor([float("inf"), 1.0]), 1)


def scaler_on_half() -> None:
    """Gradients of a model that was cast to float16 are unscaled."""
    layer = nn.Linear(2, 2).half()
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale(layer(torch.ones(1, 2).half()).sum()).backward()
    scaler.unscale_(optimizer)
