"""What the steps run: a training that saves, and evaluations that gather and log."""

from __future__ import annotations

import contextlib
import io
import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from failure import WIDTH, evaluate, save, train, train_ddp

from fixbook.recipe import backend, device, measure, snippet

if TYPE_CHECKING:
    from torch import nn

_ASKED = re.compile(r"OpType=(\w+), TensorShape=(\[[\d, ]*\])")


def join() -> int:
    """Join the process group, with a short timeout for collectives."""
    if device() != "cpu":
        torch.cuda.set_device(device())
    dist.init_process_group(backend(), timeout=timedelta(seconds=2))
    return dist.get_rank()


def saved(saves: Any) -> dict[str, Any]:
    """Train and save; return how many numbers rank 0 has written."""
    measure(rank=join())
    wait = dist.barrier

    def barrier() -> None:
        measure(in_barrier=True)
        wait()

    dist.barrier = barrier
    train(saves)
    numbers = [torch.load(path).values() for path in ("1.pt", "2.pt") if Path(path).exists()]
    return {"numbers": [sum(one.numel() for one in state) for state in numbers]}


def save_while_others_wait(model: nn.Module, path: str) -> None:
    """Save by rank 0, and let the other ranks wait meanwhile."""
    save(model, path)
    if dist.get_rank():
        dist.barrier()


def evaluated(evaluates: Any) -> dict[str, Any]:
    """Train under DDP and evaluate; return how often rank 0 has printed a prediction."""
    rank = join()
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        train_ddp(evaluates)
    return {"printed": len(shown.getvalue().splitlines()), "rank": rank}


def evaluate_while_others_wait(model: nn.Module, batch: torch.Tensor) -> None:
    """Evaluate the DDP object by rank 0, and let the other ranks wait meanwhile."""
    evaluate(model, batch)
    measure(in_barrier=True)
    dist.barrier()


def predictions(gathers: Any) -> dict[str, Any]:
    """Gather three rows of rank 0 and five of rank 1."""
    rank = join()
    rows = gathers(torch.full((3 + 2 * rank, WIDTH), float(rank)))
    return {"rows": len(rows), "of_rank_1": int(rows[:, 0].sum())}


def count(logs: Any, counted: list[float], steps: int = 3) -> None:
    """Evaluate: log the loss of each batch, and count its tokens over all ranks."""
    for number in range(1, steps + 1):
        logs(torch.tensor([0.5], device=device()))
        tokens = torch.tensor([100.0 * number + dist.get_rank()], device=device())
        dist.all_reduce(tokens)
        counted.append(tokens.item())


def counted(logs: Any, *, compare: bool = False) -> dict[str, Any]:
    """Evaluate; return the counts, what was said, and whether a comparison found anything."""
    join()
    if compare:
        snippet("compare")["compare_calls"]()
    counts: list[float] = []
    try:
        count(logs, counts)
        said = ""
    except (AssertionError, RuntimeError) as error:
        said = str(error)
    wrong = any(one != 200 * k + 1 for k, one in enumerate(counts, 1))
    names_lines = said.count(".py:") == 2
    first = counts[0] if counts else 0.0
    return {"first": first, "wrong": wrong, "names_lines": names_lines, "asked": asked(said)}


def asked(said: str) -> str:
    """Return what the ranks ask for, in the words of TORCH_DISTRIBUTED_DEBUG=DETAIL."""
    return "; ".join(f"{op} {shape}" for op, shape in _ASKED.findall(said))


def checked(gathers: Any) -> dict[str, Any]:
    """Gather predictions, and return what torch objects to."""
    try:
        return predictions(gathers) | {"found": False}
    except RuntimeError as error:
        return {"found": "Detected mismatch" in str(error), "asked": asked(str(error))}
