"""What is measured of dtypes, and the steps that show where two of them meet."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from math import isfinite
from typing import Any

import torch
from failure import attend, generate, prepare, train

from fixbook.recipe import detect, snippet
from fixbook.recipe.helpers import tiny_llama


def decode(*, upcast: bool = True, autocast: bool = False, device: str = "cpu") -> dict[str, int]:
    """Prepare a model, and generate."""
    return written(prepare(tiny_llama(), upcast=upcast).to(device), autocast=autocast)


def written(model: Any, *, autocast: bool = False) -> dict[str, int]:
    """Generate two tokens, under the autocast of the page or as it is."""
    call = partial(generate, model)
    device = model.device.type
    output = snippet("autocast", device=device, call=call)["output"] if autocast else call()
    return {"tokens": output.shape[1]}


def attention(**changes: Any) -> dict[str, str]:
    """Attend, and say in what the result is."""
    return {"dtype": str(attend(**changes).dtype)}


def fit(**changes: Any) -> dict[str, Any]:
    """Train a head, and say how much of it moved and how far the loss fell."""
    torch.manual_seed(0)
    start, head, losses = train(tiny_llama(), **changes)
    after = head.weight.detach().float()
    return {
        "head": str(head.weight.dtype),
        "moved": (after != start.float()).float().mean().item(),
        "finite_losses": sum(isfinite(loss) for loss in losses),
        "fell": losses[0] - losses[-1] if isfinite(losses[-1]) else 0.0,
    }


def kept(model: Any) -> int:
    """Return the bytes that a forward under autocast keeps for backward."""
    ids = torch.arange(4, 68).view(1, 64)
    weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
    sizes = dict[int, int]()

    def pack(tensor: Any) -> Any:
        sizes[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    hooks = torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor)
    with hooks, torch.autocast("cpu", torch.bfloat16):
        loss = model(ids, labels=ids).loss
    del loss
    return sum(size for at, size in sizes.items() if at not in weights)


def look(program: Any, *given: Any, **how: Any) -> dict[str, Any]:
    """Run a program, up to its error, under the page's watch."""
    watch = snippet("watch")["WhereDtypesMeet"]()
    with suppress(RuntimeError), watch:
        program(*given, **how)
    line = watch.lines[0].split(": ", 1)[1] if watch.lines else ""
    return {"found": bool(watch.lines), "line": line}


def norms(*, upcast: bool = True, autocast: bool = False) -> dict[str, Any]:
    """Look at a forward, and weigh what it keeps under autocast."""
    model = prepare(tiny_llama(), upcast=upcast)
    return look(written, model, autocast=autocast) | {"kept": kept(model)}


@detect(found=True)
def finds_the_norms() -> dict[str, Any]:
    """The first line is that of the norm, not that of the projection that raises."""
    return norms()


@detect(found=False, control="finds-the-norms")
def accepts_one_dtype() -> dict[str, Any]:
    """No two dtypes meet."""
    return norms(upcast=False)


@detect(found=False, control="finds-the-norms")
def accepts_autocast() -> dict[str, Any]:
    """Two dtypes meet, and nothing raises."""
    return norms(autocast=True)


@detect(found=True)
def finds_the_tables() -> dict[str, Any]:
    """The first line is that of RoPE, not that of the attention that raises."""
    return look(attend)
