"""What is measured of a graph, and the page's lines run in the loops of failure.py."""

from __future__ import annotations

import warnings
from contextlib import suppress
from typing import Any

import failure
import torch
from torch import Tensor

from fixbook.recipe import measure, snippet


def saved(loss: Tensor) -> tuple[bool, int]:
    """Return whether all that a graph saved can still be read, and its bytes."""
    todo: list[Any] = [loss.grad_fn]
    nodes, held = set(), dict[int, int]()
    try:
        while todo:
            if (node := todo.pop()) is None or node in nodes:
                continue
            nodes.add(node)
            todo += [before for before, _ in node.next_functions]
            values = [getattr(node, name) for name in dir(node) if name.startswith("_saved_")]
            held |= {v.data_ptr(): v.nbytes for v in values if isinstance(v, Tensor)}
    except RuntimeError:  # freed
        return False, 0
    return True, sum(held.values())


def run(loop: str, *, retain: bool = False, **changes: Any) -> Any:
    """Run a loop of failure.py, retaining every graph or none, and measure the graphs."""
    torch.manual_seed(0)
    kept, held = list[bool](), list[int]()

    def backward(*losses: Tensor) -> None:
        for loss in losses:
            held.append(saved(loss)[1])
            try:
                torch.autograd.backward(loss, retain_graph=retain)
            finally:
                kept.append(saved(loss)[0])
                measure(graph_kept=kept[0], backwards=len(kept), grown=held[-1] / held[0])

    return getattr(failure, loop)(changes.pop("backward", backward), **changes)


def gradient(model: Any) -> Tensor:
    """Return all gradients of a model as one vector; one that is missing counts as zeros."""
    found = [torch.zeros_like(p) if p.grad is None else p.grad for p in model.parameters()]
    return torch.cat([one.flatten() for one in found])


def compare(loop: str, *, known: dict[str, Any], **changes: Any) -> dict[str, float]:
    """Run a loop, and measure how far its gradient is from that of one backward at the end."""
    got = gradient(run(loop, **changes))
    torch.manual_seed(0)
    losses = list[Tensor]()
    model = getattr(failure, loop)(lambda *more: losses.extend(more), **known)
    torch.autograd.backward(torch.stack(losses).sum())
    wanted = gradient(model)
    return {"off_by": ((got - wanted).norm() / wanted.norm()).item()}


def detached(state: Tensor) -> Any:
    """Run the page's line."""
    return snippet("detach", state=state)["state"]


def merge(frozen: Tensor, a: Tensor, b: Tensor) -> Any:
    """Run the page's line."""
    return snippet("merge", frozen=frozen, a=a, b=b)["weight"]


def add_number(loss: Tensor, total: float) -> Any:
    """Run the page's lines."""
    return snippet("number", loss=loss, total=total)["total"]


def summed(first: Tensor, second: Tensor) -> None:
    """Run the page's line."""
    snippet("sum", first=first, second=second)


def retained(first: Tensor, second: Tensor) -> None:
    """Run the page's lines."""
    snippet("retain", first=first, second=second)


def not_reentrant(block: Any, x: Tensor) -> Any:
    """Run the page's lines."""
    return snippet("not-reentrant", block=block, x=x)["x"]


def plain(block: Any, x: Tensor) -> Any:
    """Run a block without a checkpoint."""
    return block(x)


def look(loop: str, **changes: Any) -> dict[str, Any]:
    """Run a loop, up to its error, after the page's line, and return the line it names."""
    snippet("anomaly", torch=torch)
    measure(raised=True)
    with warnings.catch_warnings(record=True) as said, suppress(RuntimeError):
        warnings.simplefilter("always")
        run(loop, **changes)
        measure(raised=False)
    texts = [str(one.message) for one in said if "Traceback of forward call" in str(one.message)]
    return {"found": bool(texts), "line": own_line(texts[0]) if texts else ""}


def own_line(text: str) -> str:
    """Return the last line of a traceback that is the user's own."""
    lines = text.splitlines()
    own = [at for at, line in enumerate(lines) if '", line ' in line and "-packages" not in line]
    return lines[own[-1] + 1].strip()


def unused(**changes: Any) -> dict[str, Any]:
    """Train a full delta, and see whether the last forward had any of it."""
    ended = run("merged", lora=False, **changes)
    return {"found": ended["moved"] > 1 and ended["used"] == 0, **ended}
