"""What is measured: which weights and which moments arrived."""

from __future__ import annotations

from typing import Any

import torch
from failure import build, load, save
from torch.distributed.checkpoint.state_dict import get_state_dict

from fixbook.recipe import measure, snippet


def arrived(model: Any, saved: Any) -> int:
    """Return how many parameters equal those that were saved."""
    known = dict(saved.named_parameters())
    mine = {name.removeprefix("_orig_mod."): p for name, p in model.named_parameters()}
    return sum(bool(p.equal(known[name])) for name, p in mine.items() if name in known)


def moments(optimizer: Any, saved: Any) -> int:
    """Return how many parameters have the Adam moments and steps that were saved."""
    both = zip(*[o.param_groups[0]["params"] for o in (optimizer, saved)], strict=True)
    every = [(optimizer.state.get(mine, {}), saved.state[known]) for mine, known in both]
    return sum(
        bool(mine) and all(bool(mine[key].equal(value)) for key, value in known.items())
        for mine, known in every
    )


def compare(model: Any) -> None:
    """Ask the page which names of the model the checkpoint lacks."""
    missing, unused = snippet("compare")["compare"](model.state_dict(), "saved")
    measure(found=bool(missing), missing=len(missing), unused=len(unused))


def compiled(*, printed: str = "", partial: bool = False) -> dict[str, Any]:
    """Load into a model under torch.compile."""
    saved, _ = save()
    model: Any = torch.compile(build()[0], backend="eager")
    compare(model)
    if printed:
        snippet(printed, model=model, folder="saved")
    else:
        planner = load({"model": model.state_dict()}, partial=partial)
        measure(partial=planner.allow_partial_load)
    return {"arrived": arrived(model, saved), "weights": len([*saved.parameters()])}


def bigger(*, printed: str = "") -> dict[str, Any]:
    """Load into a model with one layer more."""
    saved, _ = save()
    model = build(3)[0]
    compare(model)
    if printed:
        new = snippet("compare")
        snippet(printed, model=model, folder="saved", new="model.2.", compare=new["compare"])
    else:
        load({"model": model.state_dict()})
    return {"arrived": arrived(model, saved), "weights": len([*saved.parameters()])}


def optimizer_of_more(*, printed: str = "") -> dict[str, Any]:
    """Load what was saved with the first layer frozen into one that trains all."""
    saved, _ = save(frozen=True)
    model, optimizer = build()
    if printed:
        snippet(printed, model=model, folder="saved")
    else:
        weights, state = get_state_dict(model, optimizer)
        load({"model": weights, "optim": state})
    return {"arrived": arrived(model, saved), "weights": len([*saved.parameters()])}


def restored(*, printed: str = "") -> dict[str, Any]:
    """Load model and optimizer, and count the moments that arrived."""
    saved, trained = save(raw=not printed)
    model, optimizer = build()
    if printed:
        snippet(printed, model=model, optimizer=optimizer, folder="saved")
    else:
        state = {"model": model.state_dict(), "optim": optimizer.state_dict()}
        load(state)
        optimizer.load_state_dict(state["optim"])
    without = snippet("without-state")["without_state"](optimizer)
    return {
        "found": bool(without),
        "without_state": len(without),
        "moments": moments(optimizer, trained),
        "arrived": arrived(model, saved),
        "weights": len([*saved.parameters()]),
    }
