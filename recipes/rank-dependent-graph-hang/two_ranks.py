"""A model whose batches use different parts of it, trained on two ranks by DDP and by DeepSpeed."""

from __future__ import annotations

import copy
import datetime as dt
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed import distributed_c10d as c10d
from torch.nn.parallel import DistributedDataParallel

from fixbook.recipe import measure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Schedule = Callable[[int, int], str]  # (rank, step) -> the kind of batch the rank gets

WIDTH, RATE, SECONDS = 16, 0.1, 3.0


class Model(nn.Module):
    """A language part that every batch uses, and projectors: a batch uses one of them or none."""

    def __init__(self, *kinds: str, features: int = 4) -> None:
        super().__init__()
        self.projectors = nn.ModuleDict({kind: nn.Linear(WIDTH, WIDTH) for kind in kinds})
        self.language = nn.Linear(WIDTH, features)

    def forward(self, x: Tensor, kind: str, *, touch: bool = False) -> Tensor:
        """Return the loss; `touch` runs the skipped projectors too: on zeros, and times zero."""
        for name, projector in self.projectors.items():
            if name == kind:
                x = x + projector(x)
            elif touch:
                x = x + 0.0 * projector(torch.zeros_like(x)).sum()
        return self.language(x).square().mean()


def images_everywhere(_rank: int, _step: int) -> str:
    """Give every rank the same kind of batch in all steps."""
    return "image"


def rank_1_has_text_only(rank: int, _step: int) -> str:
    """Give one rank a batch that skips the projector."""
    return "text" if rank == 1 else "image"


def same_kind_on_every_rank(_rank: int, step: int) -> str:
    """Alternate the kind from step to step, never within one."""
    return "text" if step % 2 else "image"


def a_projector_each(rank: int, _step: int) -> str:
    """Let the ranks use different projectors of equal size."""
    return "audio" if rank == 1 else "image"


def batch(rank: int, step: int) -> Tensor:
    """Return the batch of a rank and step, the same one in every process."""
    return torch.randn(4, WIDTH, generator=torch.Generator().manual_seed(100 * rank + step))


def start() -> int:
    """Join the gloo group and return this process's rank."""
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    return dist.get_rank()


def wait_at_most(seconds: float) -> None:
    """Shorten the timeout once all ranks are here: NCCL's default is ten minutes, gloo's thirty."""
    dist.barrier()
    c10d._set_pg_timeout(dt.timedelta(seconds=seconds))


def on_one_process(begin: Model, schedule: Schedule, steps: Sequence[Sequence[int]]) -> Model:
    """Train on one process with the ranks' mean gradient: what distributed training must give.

    Args:
        begin: The model before training.
        schedule: The kinds of batch that were used.
        steps: The ranks that had a batch, for every step.
    """
    model = copy.deepcopy(begin).cpu()
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    for step, ranks in enumerate(steps):
        optimizer.zero_grad()
        losses = [model(batch(rank, step), schedule(rank, step)) for rank in ranks]
        (torch.stack(losses).sum() / 2).backward()
        optimizer.step()
    return model


def distance(one: nn.Module, other: nn.Module) -> float:
    """Return the largest difference between the parameters of two modules."""
    pairs = zip(one.parameters(), other.parameters(), strict=True)
    return max(float((a.detach().cpu() - b.detach()).abs().max()) for a, b in pairs)


def train_ddp(
    schedule: Schedule,
    *,
    batches: Sequence[int] = (3, 3),
    touch: bool = False,
    join: bool = False,
    seconds: float = SECONDS,
    device: str = "cpu",
    **ddp: Any,
) -> dict[str, Any]:
    """Train each rank's number of batches under DDP, meet at a barrier, and compare."""
    rank = start()
    plain = Model("image").to(device)
    begin = copy.deepcopy(plain)
    model = DistributedDataParallel(plain, **ddp)
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    wait_at_most(seconds)
    began = time.monotonic()
    try:
        with model.join(enable=join):
            for step in range(batches[rank]):
                optimizer.zero_grad()
                model(batch(rank, step).to(device), schedule(rank, step), touch=touch).backward()
                optimizer.step()
        dist.barrier()
    finally:
        measure(seconds=round(time.monotonic() - began, 1))
    steps = [[rank for rank in range(2) if step < batches[rank]] for step in range(max(batches))]
    off_by = distance(plain, on_one_process(begin, schedule, steps))
    return {"steps": batches[rank], "off_by": off_by}


@dataclass(frozen=True)
class ZeroRun:
    """A training under ZeRO and what it should have been.

    Attributes:
        begin: The model before it.
        trained: The model after it, gathered from the ranks.
        expected: The model trained on one process.
        loss_off_by: How far the first loss of this rank is from that of the model itself.
    """

    begin: Model
    trained: Model
    expected: Model
    loss_off_by: float

    @property
    def off_by(self) -> float:
        """The largest difference between the parameters trained and expected."""
        return distance(self.trained, self.expected)


def train_zero(
    stage: int, schedule: Schedule, model: Model, *, steps: int = 3, touch: bool = False
) -> ZeroRun:
    """Train a model under ZeRO and on one process."""
    import deepspeed  # seconds to import, and the DDP steps run without it

    # On a CPU DeepSpeed would first compile shared-memory kernels, which training does not use.
    deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False
    rank, begin = dist.get_rank(), copy.deepcopy(model)
    config = {
        "train_micro_batch_size_per_gpu": 4,
        "zero_optimization": {"stage": stage, "ignore_unused_parameters": True},  # the default
        "zero_allow_untested_optimizer": True,
        "gradient_clipping": 0.0,  # clips at 1.0 if left out, and one process does not
    }
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    engine, *_ = deepspeed.initialize(
        model=model, optimizer=optimizer, config=config, dist_init_required=False
    )
    wait_at_most(SECONDS)
    losses = []
    for step in range(steps):
        loss = engine(batch(rank, step), schedule(rank, step), touch=touch)
        losses.append(float(loss))
        engine.backward(loss)
        engine.step()
    trained = copy.deepcopy(begin)
    with deepspeed.zero.GatheredParameters(list(model.parameters())):  # ZeRO-3 has split them
        trained.load_state_dict(model.state_dict())
    first = float(begin(batch(rank, 0), schedule(rank, 0)))
    expected = on_one_process(begin, schedule, [[0, 1]] * steps)
    return ZeroRun(begin, trained, expected, abs(losses[0] - first))
