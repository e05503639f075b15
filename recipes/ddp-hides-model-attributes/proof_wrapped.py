"""Wrap the model as a training does, and use it through the wrapper or as the page says."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from failure import WRAPPERS, build, generate, last_token

from fixbook.recipe import backend, device, measure, snippet


def wrapped(kind: str) -> Any:
    """Return the model of this rank in its wrapper, on its device."""
    if kind == "ddp" and not dist.is_initialized():
        if device() != "cpu":
            torch.cuda.set_device(device())
        dist.init_process_group(backend())
    return WRAPPERS[kind](build().to(device()))


def inputs() -> dict[str, Any]:
    """Return a prompt."""
    ids = torch.tensor([[3, 4, 5, 6]], device=device())
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def written(kind: str, mend: str = "", *, compiled: bool = False) -> dict[str, Any]:
    """Generate, through what is given or through the model of a snippet."""
    model = wrapped(kind)
    model = torch.compile(model) if compiled else model
    bare = snippet(mend, model=model)["bare"] if mend else model
    tokens = generate(bare, inputs()).shape[1]
    return {"tokens": tokens, "first": next(iter(bare.state_dict()))}


def read(kind: str, mend: str = "") -> dict[str, Any]:
    """Read the configuration."""
    model = wrapped(kind)
    bare = snippet(mend, model=model)["bare"] if mend else model
    return {"pad": last_token(bare)}


def asked(kind: str, mend: str = "") -> dict[str, Any]:
    """Ask whether it is wrapped, as the page does."""
    model = wrapped(kind)
    model = snippet(mend, model=model)["bare"] if mend else model
    names = snippet("ask", model=model)
    return {"found": names["wrapped"], "inside": names["inside"]}


def saved() -> dict[str, Any]:
    """Save the weights through DDP, and load them into a bare model."""
    state = wrapped("ddp").state_dict()
    measure(first=next(iter(state)))
    build().load_state_dict(state)
    return {"loaded": True}


def trained(mend: str = "") -> dict[str, Any]:
    """Compute a loss of each rank's own data, and compare the gradients of the ranks."""
    model = wrapped("ddp")
    called = snippet(mend, model=model)["bare"] if mend else model
    ids = torch.randint(3, 64, (2, 8), generator=torch.Generator().manual_seed(dist.get_rank()))
    ids = ids.to(device())
    called(input_ids=ids, labels=ids).loss.backward()
    grad = called.get_parameter(next(name for name, _ in called.named_parameters())).grad
    total = grad.abs().sum().reshape(1)
    rows = [torch.zeros_like(total) for _ in range(dist.get_world_size())]
    dist.all_gather(rows, total)
    return {"found": not torch.allclose(rows[0], rows[1])}
