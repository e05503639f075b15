"""What is measured of a graph, and the steps that look for nodes an earlier backward has used."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import failure
import torch
from torch import Tensor

from fixbook.recipe import detect, measure, snippet


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


def run(loop: str, *, retain: int = 0, **changes: Any) -> Any:
    """Run a loop of failure.py whose first backwards retain their graphs, and measure these."""
    torch.manual_seed(0)
    kept, held = list[bool](), list[int]()

    def backward(loss: Tensor) -> None:
        held.append(saved(loss)[1])
        try:
            torch.autograd.backward(loss, retain_graph=len(kept) < retain)
        finally:
            kept.append(saved(loss)[0])
            measure(graph_kept=kept[0], backwards=len(kept), grown=held[-1] / held[0])

    return getattr(failure, loop)(backward, **changes)


def gradient(model: Any) -> Tensor:
    """Return all gradients of a model as one vector."""
    return torch.cat([p.grad.flatten() for p in model.parameters()])


def compare(loop: str, *, known: dict[str, Any], **changes: Any) -> dict[str, float]:
    """Run a loop, and measure how far its gradient is from that of one backward at the end."""
    got = gradient(run(loop, **changes))
    torch.manual_seed(0)
    losses = list[Tensor]()
    model = getattr(failure, loop)(losses.append, **known)
    torch.autograd.backward(torch.stack(losses).sum())
    wanted = gradient(model)
    return {"off_by": ((got - wanted).norm() / wanted.norm()).item()}


def look(loop: str, **changes: Any) -> dict[str, Any]:
    """Run a loop, up to its error, with the snippet of the page before each backward."""
    torch.manual_seed(0)
    reused, lines = snippet("reused")["reused"], list[str]()

    def backward(loss: Tensor) -> None:
        lines.extend(reused(loss))
        torch.autograd.backward(loss)

    ended: dict[str, float] = {}
    measure(raised=True)
    with suppress(RuntimeError):  # what it found is what raises
        ended = getattr(failure, loop)(backward, **changes) or ended
        measure(raised=False)
    return {"found": bool(lines), "line": lines[0].split("\n")[1].strip() if lines else "", **ended}


@detect(found=True)
def finds_the_carried_state() -> dict[str, Any]:
    """It names the line of the step before."""
    return look("carried_state")


@detect(found=False, control="finds-the-carried-state")
def accepts_the_detached_state() -> dict[str, Any]:
    """No node is met twice."""
    return look("carried_state", detach=True)


@detect(found=True)
def finds_what_raises_nothing() -> dict[str, Any]:
    """An addition saves nothing, so the merged weight of the first step is used for ever."""
    return look("merged", lora=False)


@detect(found=False, control="finds-what-raises-nothing")
def accepts_the_sum_of_each_step() -> dict[str, Any]:
    """No node is met twice."""
    return look("merged", lora=False, each=True)


@detect(found=False)
def sees_no_reentrant_graph() -> dict[str, Any]:
    """The look-alike of a miss: it raises, and the nodes are inside the checkpoint."""
    return look("shared_features")
