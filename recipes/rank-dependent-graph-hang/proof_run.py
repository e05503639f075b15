"""Run the failing code on two ranks, record what was really set, and compare with one process."""

from __future__ import annotations

import contextlib
import copy
import os
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from failure import WIDTH, VisionLanguage, images_alone, train
from torch import Tensor, nn
from torch.distributed.tensor import DTensor
from torch.utils.checkpoint import checkpoint

from fixbook.recipe import backend, device, measure
from fixbook.recipe.helpers import without_shared_memory_kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

# What the ranks' batches hold, step by step: an image, text alone, an expert (2 for both).
MIXED, TEXT, ONE_KIND_PER_STEP = ["it"] * 2, ["tt"] * 2, ["ii", "tt", "ii"]
AN_EXPERT_EACH, ONE_EXPERT_LESS, BOTH_EXPERTS = ["01"] * 2, ["20"] * 2, ["22"] * 2


class MixtureOfExperts(nn.Module):
    """Two experts, each a module of its own, between layers that every batch uses."""

    def __init__(self, outputs: int = 4) -> None:
        super().__init__()
        self.embed, self.language = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, outputs)
        self.block = Experts(nn.Linear(WIDTH, WIDTH) for _ in range(2))

    def forward(self, x: Tensor, chosen: str) -> Tensor:
        """Return the loss."""
        return self.language(self.block(self.embed(x), chosen)).square().mean()


class Experts(nn.ModuleList):
    """A block of experts."""

    def forward(self, x: Tensor, chosen: str) -> Tensor:
        """Return the sum of what the chosen ones say."""
        return torch.stack([self[int(number)](x) for number in chosen.replace("2", "01")]).sum(0)


class Checkpointed(VisionLanguage):
    """Computes its language part again in backward."""

    def __init__(self, **kind: bool) -> None:
        super().__init__()
        self.kind = kind

    def forward(self, text: Tensor, image: Tensor | None) -> Tensor:
        """Return the loss."""
        text = (text + self.encode(self, image)).requires_grad_()
        said: Tensor = checkpoint(self.language, text, **self.kind)
        return said.square().mean()


def all_frozen() -> VisionLanguage:
    """Return the model with its projector frozen, too."""
    model = VisionLanguage(images_alone)
    model.projector.requires_grad_(requires_grad=False)
    return model


def projector_alone(model: Any, image: Any) -> Any:
    """Without an image, run the projector on zeros, but not the tower."""
    if image is not None:
        return images_alone(model, image)
    measure(projector_ran_on_zeros=True)
    return 0.0 * model.projector(torch.zeros(1, WIDTH, device=device())).sum()


def outside_the_loss(model: Any, image: Any) -> Any:
    """Without an image, run everything on zeros, and leave what comes of it out of the loss."""
    if image is not None:
        return images_alone(model, image)
    weight = next(model.parameters())
    blank = images_alone(model, torch.zeros(1, 3, 28, 28, device=weight.device))
    measure(ran_on_a_blank=tuple(blank.shape) == (1, WIDTH))
    return 0.0


def batch(kind: str, rank: int, step: int) -> tuple[Any, ...]:
    """Return what the model gets: the same for one rank and step in every process."""
    torch.manual_seed(100 * rank + step)
    text, image = torch.randn(4, WIDTH), torch.randn(4, 3, 28, 28)
    return text, {"i": image, "t": None}.get(kind, kind)


def join_group() -> int:
    """Join the group on the step's device, and return this process's rank."""
    os.environ.setdefault("DS_ACCELERATOR", device().partition(":")[0])
    torch.backends.cudnn.allow_tf32 = False  # compared with float32 on a CPU
    if device() != "cpu":
        torch.cuda.set_device(device())
    dist.init_process_group(backend())
    return dist.get_rank()


def run(
    how: str,
    model: nn.Module,
    plan: Sequence[str] = MIXED,
    wait_s: float = 20.0,
    **options: Any,
) -> dict[str, Any]:
    """Train by a plan, on two ranks and on one process.

    Returns:
        The steps of this rank, and the largest difference between the two.
    """
    rank = join_group()
    torch.manual_seed(0)
    model.apply(lambda part: part.reset_parameters() if hasattr(part, "reset_parameters") else None)
    if how.startswith("zero"):
        without_shared_memory_kernels()
    expected = on_one_process(copy.deepcopy(model), plan)
    batches = [batch(kinds[rank], rank, step) for step, kinds in enumerate(plan)]
    measure(images=[torch.is_tensor(second) for _, second in batches])
    loader = (set_out(one) for one in batches)
    train(how, model.to(device()), loader, wait_s, **options)
    trained = whole_weights(how, model)
    off_by = max(float((trained[name] - expected[name]).abs().max()) for name in expected)
    return {"steps": len(batches), "off_by": off_by, "found": off_by > 1e-5}


def set_out(one: tuple[Any, ...]) -> tuple[Any, ...]:
    """Record how long this rank would really wait, and hand the batch on."""
    options = dist.group.WORLD._get_backend(torch.device(device())).options
    measure(timeout_s=options._timeout.total_seconds())
    return tuple(part.to(device()) if torch.is_tensor(part) else part for part in one)


def ready_twice(model: Checkpointed) -> dict[str, Any]:
    """Train as ``find-unused`` does, and return whether DDP objects to the checkpointing."""
    try:
        return run("ddp", model, find_unused_parameters=True) | {"found": False}
    except RuntimeError as error:
        return {"found": "marked as ready twice" in str(error)}


def on_one_process(model: Any, plan: Sequence[str]) -> dict[str, Tensor]:
    """Train with the ranks' mean gradient: what distributed training must give."""
    model.encode = images_alone
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, kinds in enumerate(plan):
        batches = [batch(kind, rank, step) for rank, kind in enumerate(kinds)]
        (sum(model(*one) for one in batches) / 2).backward()
        optimizer.step()
        optimizer.zero_grad()
    return dict(model.state_dict())


def whole_weights(how: str, model: nn.Module) -> dict[str, Tensor]:
    """Return the weights of a model whose ranks may share them."""
    gathered: Any = contextlib.nullcontext()
    if how.startswith("zero"):
        import deepspeed

        gathered = deepspeed.zero.GatheredParameters(list(model.parameters()))
    with gathered:
        found = model.state_dict().items()
        return {k: (v.full_tensor() if isinstance(v, DTensor) else v).cpu() for k, v in found}
