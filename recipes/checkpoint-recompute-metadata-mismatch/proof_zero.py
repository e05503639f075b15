"""Adapters beside frozen layers, under ZeRO-3 and gradient checkpointing."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import LayerNorm, Linear, Module
from torch.utils.checkpoint import checkpoint

from fixbook.recipe import measure
from fixbook.recipe.helpers import join_gloo


class Adapted(Module):
    """A block whose own layers are frozen, as those of a base model under LoRA are."""

    def __init__(self) -> None:
        """Draw the weights."""
        super().__init__()
        torch.manual_seed(0)
        self.norm, self.base, self.adapter = LayerNorm(8), Linear(8, 8), Linear(8, 8, bias=False)
        for frozen in (self.norm, self.base):
            frozen.requires_grad_(requires_grad=False)

    def block(self, x: Any) -> Any:
        """Run the block."""
        x = self.norm(x)
        return torch.tanh(self.base(x) + self.adapter(x))

    def forward(self, x: Any, *, reentrant: bool = False, plain: bool = False) -> Any:
        """Run the block, under checkpointing unless ``plain``."""
        return self.block(x) if plain else checkpoint(self.block, x, use_reentrant=reentrant)


def adapters_gradient(**how: bool) -> Any:
    """Return the gradient of the adapter after one backward under ZeRO-3."""
    import deepspeed
    from deepspeed.utils import safe_get_full_grad

    model = Adapted()
    settings = {
        "train_micro_batch_size_per_gpu": 4,
        "zero_optimization": {"stage": 3, "stage3_param_persistence_threshold": 0},
        "zero_allow_untested_optimizer": True,
    }
    optimizer = torch.optim.SGD(model.adapter.parameters(), lr=0.1)
    engine, *_ = deepspeed.initialize(model=model, optimizer=optimizer, config=settings)
    x = torch.linspace(-1, 1, 32).reshape(4, 8).requires_grad_()
    engine.backward(engine(x, **how).pow(2).sum())
    return safe_get_full_grad(model.adapter.weight)


def run_under_zero_3(*, reentrant: bool = False) -> dict[str, float]:
    """Compare the gradient with that without checkpointing."""
    join_gloo()
    wanted = adapters_gradient(plain=True)
    got = adapters_gradient(reentrant=reentrant)
    measure(size=wanted.norm().item())
    return {"off_by": ((got - wanted).norm() / wanted.norm()).item()}
