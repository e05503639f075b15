"""Loops with a GradScaler that clip, and unscale more often than they update."""

from __future__ import annotations

from typing import Any

import torch
from accelerate import Accelerator
from torch import nn
from torch.amp import GradScaler

from fixbook.recipe import snippet

SCALE = 1024.0
ROWS = torch.arange(8, dtype=torch.float32).reshape(4, 2)


class Loop:
    """A model, its optimizer, its scaler and the losses of two batches, as a loop has them."""

    def __init__(self) -> None:
        """Make all of it, the same each time."""
        torch.manual_seed(0)
        self.model = nn.Linear(2, 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1.0)
        self.scaler: Any = GradScaler("cpu", init_scale=SCALE)
        self.before = nn.utils.parameters_to_vector(self.model.parameters()).detach().clone()

    def names(self) -> dict[str, Any]:
        """Return what a snippet of the page calls by name."""
        return {"model": self.model, "optimizer": self.optimizer, "scaler": self.scaler}

    def losses(self, count: int = 2) -> list[torch.Tensor]:
        """Return the loss of each batch."""
        return [self.model(row[None]).mean() / count for row in ROWS[:count]]

    def clip(self) -> float:
        """Unscale and clip, as the documentation of torch does."""
        self.scaler.unscale_(self.optimizer)
        return float(nn.utils.clip_grad_norm_(self.model.parameters(), 1.0))

    def update(self) -> None:
        """Step and update."""
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()

    def stage(self) -> str:
        """Look, as the page does, at the beginning of a batch."""
        return str(snippet("look", **self.names())["stage"])

    def moved(self) -> dict[str, float]:
        """Tell how far the weights are from where they began."""
        now = nn.utils.parameters_to_vector(self.model.parameters()).detach()
        return {"moved": float((now - self.before).norm())}

    def apart(self) -> dict[str, float]:
        """Tell how far the weights are from those of the same two batches without a scaler."""
        other = Loop()
        total: Any = sum(other.losses())
        total.backward()
        nn.utils.clip_grad_norm_(other.model.parameters(), 1.0)
        other.optimizer.step()
        right, mine = (
            nn.utils.parameters_to_vector(one.model.parameters()).detach() for one in (other, self)
        )
        return self.moved() | {"apart": float((mine - right).norm())}


def accumulate(mistake: str = "each batch") -> dict[str, Any]:
    """Accumulate two batches and clip; without a mistake, as the page does."""
    loop = Loop()
    if not mistake:
        snippet("accumulate", losses=loop.losses(), accumulation=2, **loop.names())
        done = loop.apart()
        return done | {"found": loop.stage() != "READY" or done["apart"] > 0.01}
    for number, loss in enumerate(loop.losses()):
        loop.scaler.scale(loss).backward()
        if mistake == "no unscaling":
            nn.utils.clip_grad_norm_(loop.model.parameters(), 1.0)
        else:
            loop.clip()
        if mistake == "each update" and number == 0:
            loop.scaler.update()
    loop.update()
    done = loop.apart()
    return done | {"found": done["apart"] > 0.01}


def step_skipped(*, always: bool = False) -> dict[str, float]:
    """Leave out a step whose norm is too large; `always` updates as the page does."""
    loop = Loop()
    for limit, loss in zip((0.1, 100.0), loop.losses(), strict=True):
        loop.scaler.scale(loss).backward()
        norm = loop.clip()
        if always:
            snippet("update", norm=norm, limit=limit, **loop.names())
        elif norm < limit:
            loop.update()
        else:
            loop.optimizer.zero_grad()
    return loop.moved()


def unscaled_after_step(*, early: bool = False) -> dict[str, float]:
    """Look at gradients behind step; `early` does what the page does."""
    loop = Loop()
    loop.scaler.scale(loop.losses()[0]).backward()
    if early:
        snippet("order", **loop.names())
    else:
        loop.scaler.step(loop.optimizer)
        loop.clip()
        loop.scaler.update()
    return loop.moved()


def look(mistake: str = "") -> dict[str, Any]:
    """Look at the stage where the second batch begins."""
    loop = Loop()
    first, _ = loop.losses()
    loop.scaler.scale(first).backward()
    loop.clip()
    if mistake == "no update":
        loop.scaler.step(loop.optimizer)
    elif not mistake:
        loop.update()
    stage = loop.stage()
    return {"found": stage != "READY", "stage": stage}


class Accelerated:
    """Two networks under Accelerate, with the scaler that it makes on a GPU."""

    def __init__(self, networks: int = 1, accumulation: int = 1, precision: str = "fp16") -> None:
        """Make them, and give the Accelerator a scaler for the CPU where it has one on a GPU."""
        torch.manual_seed(0)
        self.accelerator = Accelerator(
            cpu=True, mixed_precision=precision, gradient_accumulation_steps=accumulation
        )
        if precision == "fp16":
            self.accelerator.scaler = GradScaler("cpu", init_scale=SCALE)
            self.accelerator.native_amp = True
        models = [nn.Linear(2, 1) for _ in range(networks)]
        pairs = [(one, torch.optim.SGD(one.parameters(), lr=1.0)) for one in models]
        made = [self.accelerator.prepare(*pair) for pair in pairs]
        self.models = [one for one, _ in made]
        self.optimizers = [one for _, one in made]
        self.starts = [one.weight.detach().clone() for one in self.models]

    def moved(self) -> dict[str, float]:
        """Tell how far the last network is from where it began."""
        return {"moved": float((self.models[-1].weight.detach() - self.starts[-1]).norm())}


def accelerate_accumulates(*, synced: bool = False, precision: str = "fp16") -> dict[str, Any]:
    """Clip in every batch; `synced` does it as the page does."""
    here = Accelerated(accumulation=2, precision=precision)
    accelerator, model, optimizer = here.accelerator, here.models[0], here.optimizers[0]
    for row in ROWS[:2]:
        with accelerator.accumulate(model):
            accelerator.backward(model(row[None]).float().mean())
            if synced:
                snippet("synced", accelerator=accelerator, model=model)
            else:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    return here.moved() | {"scaler": accelerator.scaler is not None}


def two_networks(how: str = "clip first") -> dict[str, float]:
    """Train two networks by one loss and clip each, or do `as the page` does."""
    here = Accelerated(networks=2)
    accelerator = here.accelerator
    accelerator.backward(sum(model(ROWS[1:2]).float().mean() for model in here.models))
    pairs = list(zip(here.models, here.optimizers, strict=True))
    if how == "as the page":
        snippet("apart", accelerator=accelerator, pairs=pairs)
        return here.moved()
    for model, optimizer in pairs:
        accelerator.clip_grad_norm_(model.parameters(), 1.0)
        if how == "in turn":
            optimizer.step()
    return here.moved()
