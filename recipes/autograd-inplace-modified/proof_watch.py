"""How far gradients are from the right ones, and the steps that watch for changes."""

from __future__ import annotations

import traceback
from typing import Any

import torch
import torch.distributed as dist
from failure import adversarial, attention, two_forwards
from torch import Tensor, nn

from fixbook.recipe import detect, measure, snippet


def run(program: Any, *, only: bool = False, **changes: Any) -> Any:
    """Run a program, each loss for its own module alone if ``only``; measure what is in force."""

    def backward(loss: Tensor, of: Any, **options: Any) -> None:
        if isinstance(of, nn.Module):
            measure(inplace_layers=sum(getattr(layer, "inplace", False) for layer in of))
            options["inputs"] = list(of.parameters()) if only else None
        else:
            measure(made_by=type(of.grad_fn).__name__, version=of._version)
        loss.backward(**options)

    torch.manual_seed(0)
    return program(backward, **changes)


def apart(got: Any, right: Any) -> float:
    """Return how far a gradient is from the right one, as a share of that."""
    a, b = (torch.cat([t.flatten() for t in gradient]) for gradient in (got, right))
    return ((a - b).norm() / b.norm()).item()


def one(**changes: Any) -> dict[str, float]:
    """Compare the gradient with that of weights that are not changed in place."""
    right = run(attention, write="new tensor")
    return {"off_by": apart([run(attention, **changes)], [right])}


def two(**changes: Any) -> dict[str, float]:
    """Compare both gradients: the generator's with those through the old and the new critic."""
    new, old = run(adversarial, again=True), run(adversarial, step="last", only=True)
    got = run(adversarial, **changes)
    before, after = (apart(got["generator"], right["generator"]) for right in (old, new))
    return {"critic_off_by": apart(got["critic"], old["critic"]), "old": before, "new": after}


def ddp(**layer: Any) -> Any:
    """Run two forwards under DDP, on other data for each rank."""
    torch.manual_seed(dist.get_rank())
    return two_forwards(**layer)


def look(call: Any, **changes: Any) -> dict[str, Any]:
    """Run a program under the page's watch."""
    watch = snippet("watch")["NameTheChange"]
    try:
        with watch():
            call(**changes)
    except RuntimeError as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame.line for frame in frames if frame.filename.endswith("failure.py")]
        return {"found": True, "changed": own[-1], "saved": str(error).rsplit(": ", 1)[1]}
    return {"found": False}


@detect(found=True)
def finds_the_output() -> dict[str, Any]:
    """It stops at the write, and names the softmax."""
    return look(run, program=attention)


@detect(found=False, control="finds-the-output")
def accepts_a_new_tensor() -> dict[str, Any]:
    """Nothing that is needed changes."""
    return look(run, program=attention, write="new tensor")


@detect(found=True)
def finds_data() -> dict[str, Any]:
    """It sees what autograd does not."""
    return look(run, program=attention, write="data")


@detect(found=True)
def finds_the_step() -> dict[str, Any]:
    """It stops in the optimizer, and names the forward."""
    return look(run, program=adversarial)


@detect(found=False, control="finds-the-step")
def accepts_forward_again() -> dict[str, Any]:
    """The step changes nothing that is still needed."""
    return look(run, program=adversarial, again=True)


@detect(found=True)
def finds_a_step_by_hand() -> dict[str, Any]:
    """No error, and a gradient of neither critic."""
    return look(run, program=adversarial, step="by hand") | two(step="by hand")


def broadcast(**layer: Any) -> dict[str, Any]:
    """Compare the gradient of two forwards with that of cloned buffers, and look."""
    dist.init_process_group("gloo")
    off_by = apart(ddp(**layer), ddp(clone=True))
    return {"off_by": off_by} | look(ddp, **layer)


@detect(found=True, ranks=2)
def finds_the_broadcast() -> dict[str, Any]:
    """DDP writes rank 0's buffer over the one that the first forward saved, and says nothing."""
    return broadcast()


@detect(found=False, control="finds-the-broadcast", ranks=2)
def accepts_a_clone() -> dict[str, Any]:
    """What backward needs is not the buffer."""
    return broadcast(clone=True)
