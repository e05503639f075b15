"""The run of all steps: train or evaluate by one plan, and compare with plain PyTorch."""

from __future__ import annotations

import os
from typing import Any

import deepspeed
import torch
from failure import LAYERS, WIDTH, Model, Optional, serve, settings, skip
from torch import nn

from fixbook.recipe import backend, device, measure, snippet
from fixbook.recipe.helpers import join_ranks, tiny_llama

EVERY, SOME = [True] * LAYERS, [True, True, False, False, False, True]
PLAN = [EVERY, EVERY, EVERY, SOME, EVERY]  # the trace is complete after two steps
SKIPPING = PLAN.index(SOME)


def batches() -> list[torch.Tensor]:
    """Return one batch for each step of the plan."""
    generator = torch.Generator().manual_seed(1)
    return [torch.randn(4, WIDTH, generator=generator).to(device()) for _ in PLAN]


def network(*, everything: bool = False) -> Any:
    """Return the model, the same each time."""
    torch.manual_seed(0)
    return Model(snippet("run-it")["run"] if everything else skip).to(device())


def plain(model: Any) -> list[torch.Tensor]:
    """Train without DeepSpeed, and return the weights."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for x, used in zip(batches(), PLAN, strict=True):
        optimizer.zero_grad()
        model(x, used).backward()
        optimizer.step()
    return [p.detach() for p in model.parameters()]


def engine(model: Any, *, stage: int = 3, prefetch: int = 1_000_000) -> Any:
    """Start DeepSpeed with the model; ``LOCAL_SIZE`` keeps old releases from asking numactl."""
    os.environ["LOCAL_SIZE"] = "1"
    if not torch.distributed.is_initialized():
        join_ranks()
        deepspeed.init_distributed(backend(), auto_mpi_discovery=False)
    served = serve(model, settings(stage, prefetch))
    zero = served._config.zero_config
    measure(version=deepspeed.__version__, stage=zero.stage, prefetch=zero.prefetch_bucket_size)
    return served


def whole(model: Any, names: str = "") -> list[torch.Tensor]:
    """Return copies of the weights, gathered."""
    chosen = [p for name, p in model.named_parameters() if name.startswith(names)]
    with deepspeed.zero.GatheredParameters(chosen, enabled=hasattr(chosen[0], "ds_id")):
        return [p.detach().clone() for p in chosen]


def furthest(one: list[torch.Tensor], other: list[torch.Tensor]) -> float:
    """Return the largest difference between two lists of tensors."""
    return max((a - b).abs().max().item() for a, b in zip(one, other, strict=True))


def train(*, everything: bool = False, leaf: bool = False, **changes: Any) -> dict[str, Any]:
    """Train by the plan, and compare with plain PyTorch; say how far a skipped layer went."""
    model = network(everything=everything)
    if leaf:
        snippet("leaf", model=model, Optional=Optional)
    skipped = snippet("skipped")["watch"](model)
    served, seen, moves = engine(model, **changes), [], []
    for x, used in zip(batches(), PLAN, strict=True):
        before = whole(model, "block.layers.2")
        served.backward(served(x, used))
        served.step()
        seen.append(skipped())
        moves.append(furthest(whole(model, "block.layers.2"), before))
    off_by = furthest(whole(model), plain(network(everything=everything)))
    listed = {"parameters": len(seen[SKIPPING]), "first": "".join(seen[SKIPPING][:1])}
    moved = {"moved_before": moves[SKIPPING - 1], "moved_while_skipped": moves[SKIPPING]}
    return {"found": any(seen), "off_by": off_by} | listed | moved


def evaluate() -> dict[str, Any]:
    """Run the plan without gradients, and compare the losses with plain PyTorch's."""
    served = engine(network())
    served.eval()
    with torch.no_grad():
        rows = [served(x, used).item() for x, used in zip(batches(), PLAN, strict=True)]
        model = network()
        known = [model(x, used).item() for x, used in zip(batches(), PLAN, strict=True)]
    return {"off_by": max(abs(a - b) for a, b in zip(rows, known, strict=True))}


class Encoder(nn.Module):
    """PyTorch's own layer, whose attention never calls its output layer as a module."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(WIDTH, 4, dropout=0.0, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the loss."""
        return self.layer(x[None]).square().mean()


def look_at_usual_models() -> dict[str, Any]:
    """Train models that skip nothing for two steps each, and say what is listed."""
    ids, listed = torch.arange(8)[None].to(device()), []
    texts: dict[str, Any] = {"input_ids": ids, "labels": ids}
    for model, batch in [(tiny_llama(), texts), (Encoder(), {"x": batches()[0]})]:
        skipped = snippet("skipped")["watch"](model)
        served = engine(model.to(device()))
        for _ in range(2):
            loss = served(**batch)
            served.backward(getattr(loss, "loss", loss))
            served.step()
            listed += skipped()
    return {"found": bool(listed), "models": 2}
