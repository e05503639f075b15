"""How far gradients are off under checkpointing, and whether a block does the same twice."""

from __future__ import annotations

from functools import partial
from typing import Any

import failure
import torch
from torch.utils.checkpoint import checkpoint

from fixbook.recipe import measure, snippet


def gradient(model: Any) -> torch.Tensor:
    """Return all gradients of a model as one vector."""
    return torch.cat([p.grad.flatten() for p in model.parameters()])


def without_cache(model: Any, inputs: Any) -> Any:
    """Run the page's line."""
    return snippet("no-cache", model=model, inputs=inputs)["output"]


def evaluate_late(model: Any, loss: Any) -> None:
    """Run the page's lines."""
    snippet("eval-later", model=model, loss=loss)


def of_torch(scores: Any) -> Any:
    """Run the page's line."""
    return snippet("torch-noise", scores=scores, torch=torch)["noise"]


def plainly(block: Any, *inputs: Any) -> Any:
    """Run a block without checkpointing."""
    return block(*inputs)


def off_by(name: str, apply: Any, **changes: Any) -> float:
    """Run a loop of failure.py with and without checkpointing, and compare the gradients."""
    loop = getattr(failure, name)
    got = gradient(loop(apply, **changes))
    # Without checkpointing nothing runs twice, so that it is what the forward has meant.
    meant = {"end": evaluate_late} if name == "switched_mode" else changes
    wanted = gradient(loop(plainly, **meant))
    return ((got - wanted).norm() / wanted.norm()).item()


def run(name: str, *, reentrant: bool = False, saved: bool = False, **changes: Any) -> Any:
    """Run a loop under checkpointing, and measure how far its gradient is off."""
    use = partial(checkpoint, use_reentrant=reentrant)
    if saved:
        use = snippet("save-the-choice")["checkpointed"]

    def apply(block: Any, *inputs: Any) -> Any:
        output = use(block, *(x.requires_grad_() for x in inputs))
        measure(reentrant="CheckpointFunction" in type(output.grad_fn).__name__)
        return output

    return {"off_by": off_by(name, apply, **changes)}


def look(name: str, **changes: Any) -> dict[str, Any]:
    """Ask the snippet of the page whether a block does the same twice; then run the loop."""
    same_twice = snippet("same-twice")["same_twice"]
    answers = list[bool]()

    def apply(block: Any, *inputs: Any) -> Any:
        answers.append(same_twice(block, *inputs))
        return plainly(block, *inputs)

    getattr(failure, name)(apply, **changes)
    return {"found": not answers[0]}


def look_and_run(name: str, **changes: Any) -> dict[str, Any]:
    """Ask the snippet, and run the loop under checkpointing as well."""
    return {**look(name, **changes), **run(name, **changes)}
