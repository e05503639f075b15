"""A model of which FSDP1 gets frozen and trained weights in one unit: LoRA, or a frozen part."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
from torch.distributed.fsdp.wrap import ModuleWrapPolicy, transformer_auto_wrap_policy

from fixbook.recipe import device, snippet

WIDTH = 64


class Adapted(nn.Module):
    """A frozen projection and its LoRA."""

    def __init__(self) -> None:
        """Make both; B is zero at first, as in PEFT."""
        super().__init__()
        self.base_layer = nn.Linear(WIDTH, WIDTH).requires_grad_(requires_grad=False)
        self.lora_A = nn.Linear(WIDTH, 2, bias=False)
        self.lora_B = nn.Linear(2, WIDTH, bias=False)
        nn.init.zeros_(self.lora_B.weight)

    def forward(self, x: Tensor) -> Tensor:
        """Add what LoRA gives."""
        out: Tensor = self.base_layer(x) + self.lora_B(self.lora_A(x))
        return out


class Layer(nn.Module):
    """What the wrapping policy names."""

    def __init__(self, *, lora: bool) -> None:
        """Make one projection."""
        super().__init__()
        self.proj = Adapted() if lora else nn.Linear(WIDTH, WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        """Add it to what comes in."""
        out: Tensor = x + self.proj(x).tanh()
        return out


class Model(nn.Module):
    """An embedding, two layers and a head."""

    def __init__(self, *, lora: bool) -> None:
        """Freeze everything but the adapters, or the embedding alone."""
        super().__init__()
        self.embed = nn.Embedding(32, WIDTH).requires_grad_(requires_grad=False)
        self.layers = nn.ModuleList(Layer(lora=lora) for _ in range(2))
        self.head = nn.Linear(WIDTH, 32).requires_grad_(requires_grad=not lora)

    def forward(self, ids: Tensor) -> Tensor:
        """Return the loss."""
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x)
        return nn.functional.cross_entropy(self.head(x).flatten(0, 1), ids.flatten())


def wrap(model: Any, policy: str = "layers", *, orig: bool = False) -> Any:
    """Hand the model to FSDP1; the policy says what a unit is."""
    chosen: Any = {
        "layers": partial(transformer_auto_wrap_policy, transformer_layer_cls={Layer}),
        "modules": ModuleWrapPolicy({Layer}),
    }.get(policy) or snippet("apart", Layer=Layer)["policy"]
    place = torch.device(device())
    return FullyShardedDataParallel(
        model, auto_wrap_policy=chosen, use_orig_params=orig, device_id=place
    )


def shard(model: Any) -> Any:
    """Hand it to FSDP2."""
    for layer in model.layers:
        fully_shard(layer)
    return fully_shard(model)


def freeze(model: Any) -> None:
    """Freeze what is to stay, by its name."""
    for name, param in model.named_parameters():
        if "base_layer" in name or "embed" in name or "head" in name:
            param.requires_grad = False
