"""Save a model with torch.distributed.checkpoint, and load it under other names, or into more."""

from typing import Any

import torch
from torch import nn
from torch.distributed import checkpoint
from torch.distributed.checkpoint.default_planner import DefaultLoadPlanner
from torch.distributed.checkpoint.state_dict import get_state_dict

from fixbook.recipe import device

dcp: Any = checkpoint  # its functions have no types
X = torch.linspace(-1, 1, 8).reshape(2, 4)


class Scaled(nn.Linear):
    """A layer with a state beside its weights."""

    def get_extra_state(self) -> Any:
        """Return what is saved beside the weights."""
        return torch.ones(1)

    def set_extra_state(self, state: Any) -> None:
        """Take what was saved."""
        self.scale = state


def build(
    layers: int = 2, *, seed: int = 1, frozen: bool = False, scaled: bool = False
) -> tuple[Any, Any]:
    """Return a model and its optimizer; ``frozen``: without its first layer.

    ``scaled``: its layers have a state of their own.
    """
    torch.manual_seed(seed)
    kind = Scaled if scaled else nn.Linear
    model = nn.Sequential(*[kind(4, 4) for _ in range(layers)]).to(device())
    model[0].requires_grad_(not frozen)
    trained = [p for p in model.parameters() if p.requires_grad]
    return model, torch.optim.AdamW(trained, lr=0.01)


def train(model: Any, optimizer: Any) -> None:
    """Train one step."""
    model(X.to(device())).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()


def save(
    *, frozen: bool = False, raw: bool = False, unused: bool = False, compiled: bool = False
) -> tuple[Any, Any]:
    """Train, save and return both.

    ``raw``: with the optimizer's own state_dict; ``unused``: no loss uses the first layer;
    ``compiled``: with the state_dict of the compiled model.
    """
    model, optimizer = build(seed=0, frozen=frozen)
    train(model[1:] if unused else model, optimizer)
    weights, state = get_state_dict(model, optimizer)
    if raw:
        state = optimizer.state_dict()
    if compiled:
        weights = torch.compile(model).state_dict()
    dcp.save({"model": weights, "optim": state}, checkpoint_id="saved")
    return model, optimizer


def load(state: dict[str, Any], *, partial: bool = False) -> DefaultLoadPlanner:
    """Load into the tensors of a state dict."""
    planner = DefaultLoadPlanner(allow_partial_load=partial)
    dcp.load(state, checkpoint_id="saved", planner=planner)
    return planner
