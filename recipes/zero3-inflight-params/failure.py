"""A model that skips layers by what is in the batch, under ZeRO-3 with its prefetching."""

from typing import Any

import deepspeed
import torch
from torch import Tensor, nn

WIDTH, LAYERS = 64, 6


class Optional(nn.Module):
    """Layers of which a batch uses some."""

    def __init__(self, run: Any) -> None:
        """Build them; ``run`` runs a layer or leaves it out."""
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS))
        self.run = run

    def forward(self, x: Tensor, used: list[bool]) -> Tensor:
        """Return what the layers in use make of ``x``."""
        for layer, wanted in zip(self.layers, used, strict=True):
            x = self.run(layer, x, wanted)
        return x


class Model(nn.Module):
    """A layer for every batch, the optional ones, and a head."""

    def __init__(self, run: Any) -> None:
        super().__init__()
        self.first, self.block = nn.Linear(WIDTH, WIDTH), Optional(run)
        self.head = nn.Linear(WIDTH, 1)

    def forward(self, x: Tensor, used: list[bool]) -> Tensor:
        """Return the loss."""
        return self.head(self.block(self.first(x), used)).square().mean()


def skip(layer: nn.Module, x: Tensor, wanted: bool) -> Tensor:  # noqa: FBT001
    """Leave out what the batch does not use."""
    return layer(x) if wanted else x


def settings(stage: int = 3, prefetch: int = 1_000_000) -> dict[str, Any]:
    """Return the configuration; a threshold of 0 makes a small model behave as a large one."""
    three = {"stage3_prefetch_bucket_size": prefetch, "stage3_param_persistence_threshold": 0}
    return {
        "train_micro_batch_size_per_gpu": 4,
        "gradient_clipping": 0.0,
        "zero_allow_untested_optimizer": True,
        "zero_optimization": {"stage": stage} | (three if stage == 3 else {}),
    }


def serve(model: nn.Module, config: dict[str, Any]) -> Any:
    """Hand the model to DeepSpeed."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    return deepspeed.initialize(model=model, optimizer=optimizer, config=config)[0]
