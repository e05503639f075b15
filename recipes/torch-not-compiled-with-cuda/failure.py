"""A training script that wants the GPU, and one that takes it only if it is there."""

from __future__ import annotations

from typing import Any

import torch


def to_the_gpu() -> dict[str, Any]:
    """Move the model, as most scripts do."""
    model = torch.nn.Linear(4, 2).to("cuda")
    return {"device": str(model.weight.device)}


def choose_the_gpu() -> dict[str, Any]:
    """Choose the GPU of this rank first, as scripts for several GPUs do."""
    torch.cuda.set_device(0)
    return {"device": f"cuda:{torch.cuda.current_device()}"}


def train_where_possible() -> dict[str, Any]:
    """Take the GPU if there is one, in mixed precision."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = torch.nn.Linear(4, 2).to(device)
    before = model.weight.detach().clone()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    with torch.autocast("cuda"):
        loss = model(torch.ones(3, 4, device=device)).square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    return {"device": device, "trained": bool((model.weight != before).any())}
