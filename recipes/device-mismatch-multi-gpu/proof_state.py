"""The state of an optimizer that is loaded before the model goes to a GPU, or after it."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.optim import SGD

from fixbook.recipe import snippet

GPU = "cuda:0"


def optimizer_of(model: nn.Module) -> SGD:
    """Make an optimizer that keeps a tensor for each parameter."""
    return SGD(model.parameters(), lr=0.1, momentum=0.9)


def saved() -> dict[str, Any]:
    """Return the state of an optimizer after a step on the CPU, as a checkpoint holds it."""
    model = nn.Linear(4, 2)
    optimizer = optimizer_of(model)
    model(torch.ones(1, 4)).sum().backward()
    optimizer.step()
    state: dict[str, Any] = optimizer.state_dict()
    return state


def move(model: nn.Linear, optimizer: SGD) -> None:
    """Move a model as ``model.to()`` does: the optimizer goes on with the same parameters."""
    before = list(model.parameters())
    model.weight = nn.Parameter(torch.empty(2, 4, device=GPU))
    model.bias = nn.Parameter(torch.empty(2, device=GPU))
    after = list(model.parameters())
    pairs = zip(before, after, strict=True)
    states = {new: optimizer.state[old] for old, new in pairs if old in optimizer.state}
    optimizer.param_groups[0]["params"] = after
    optimizer.state.clear()
    optimizer.state.update(states)


def resumed(order: str, *, by_page: bool = False) -> dict[str, str]:
    """Load the state and move the model, in an order, and take a step."""
    state, model = saved(), nn.Linear(4, 2)
    with FakeTensorMode(allow_non_fake_inputs=True):
        optimizer = optimizer_of(model)
        if order == "model first":
            move(model, optimizer)
        optimizer.load_state_dict(state)
        if order == "state first":
            move(model, optimizer)
        if by_page:
            snippet("state", optimizer=optimizer, device=GPU, torch=torch)
        for one in model.parameters():
            one.grad = torch.zeros(one.shape, device=GPU)
        optimizer.step()
    return {"state": str(optimizer.state[model.weight]["momentum_buffer"].device)}
