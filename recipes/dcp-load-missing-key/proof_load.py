"""What is measured: which weights and which moments arrived."""

from __future__ import annotations

from typing import Any

import torch
from failure import build, load, save
from torch.distributed.checkpoint.state_dict import get_model_state_dict, get_state_dict

from fixbook.recipe import measure, snippet


def arrived(model: Any, saved: Any) -> int:
    """Return how many parameters equal those that were saved."""
    known = dict(saved.named_parameters())
    mine = {name.removeprefix("_orig_mod."): p for name, p in model.named_parameters()}
    return sum(bool(p.equal(known[name])) for name, p in mine.items() if name in known)


def same(mine: dict[str, Any], known: dict[str, Any]) -> bool:
    """Say whether a parameter has the Adam moments and steps that were saved."""
    return bool(mine) and bool(known) and all(bool(mine[k].equal(v)) for k, v in known.items())


def moments(optimizer: Any, saved: Any) -> int:
    """Return how many parameters have the Adam moments and steps that were saved."""
    both = zip(*[o.param_groups[0]["params"] for o in (optimizer, saved)], strict=True)
    return sum(same(optimizer.state.get(mine, {}), saved.state[known]) for mine, known in both)


def lacks(weights: Any) -> bool:
    """Ask the page which of these names the checkpoint lacks."""
    names = snippet("compare", weights=weights, folder="saved")
    missing = names["wanted"] - names["saved"]
    measure(found=bool(missing), missing=len(missing))
    return bool(missing)


def compiled(*, printed: str = "", partial: bool = False) -> dict[str, Any]:
    """Load into a model under torch.compile."""
    saved, _ = save()
    model: Any = torch.compile(build()[0], backend="eager")
    if printed:
        snippet(printed, model=model, folder="saved")
        found = lacks(get_model_state_dict(model))
    else:
        found = lacks(model.state_dict())
        planner = load({"model": model.state_dict()}, partial=partial)
        measure(partial=planner.allow_partial_load)
    kept = arrived(model, saved)
    return {"found": found, "arrived": kept, "weights": len([*saved.parameters()])}


def saved_compiled(*, printed: str = "") -> dict[str, Any]:
    """Load into a plain model what a compiled one has saved."""
    saved, _ = save(compiled=True)
    model = build()[0]
    if printed:
        found = lacks(snippet(printed, model=model, folder="saved")["weights"])
    else:
        found = lacks(model.state_dict())
        load({"model": model.state_dict()})
    kept = arrived(model, saved)
    return {"found": found, "arrived": kept, "weights": len([*saved.parameters()])}


def bigger(*, printed: str = "") -> dict[str, Any]:
    """Load into a model with one layer more."""
    saved, _ = save()
    model = build(3)[0]
    lacks(model.state_dict())
    if printed:
        snippet(printed, model=model, folder="saved", new="2.")
    else:
        load({"model": model.state_dict()})
    return {"arrived": arrived(model, saved), "weights": len([*saved.parameters()])}


def with_extra_state(*, printed: str = "") -> dict[str, Any]:
    """Load into layers that have a state beside their weights."""
    saved, _ = save()
    model = build(scaled=True)[0]
    if printed:
        snippet(printed, model=model, folder="saved")
    else:
        load({"model": get_model_state_dict(model)})
    return {"arrived": arrived(model, saved), "weights": len([*saved.parameters()])}


def optimizer_of_more(*, printed: str = "", unused: bool = False) -> dict[str, Any]:
    """Load an optimizer that knew no gradient of the first layer into one that trains all."""
    saved, trained = save(frozen=not unused, unused=unused)
    model, optimizer = build()
    if printed:
        snippet(printed, model=model, optimizer=optimizer, folder="saved", new="0.")
    else:
        weights, state = get_state_dict(model, optimizer)
        load({"model": weights, "optim": state})
    held = {id(p): s for p, s in trained.state.items() if s}
    pairs = zip(model.parameters(), saved.parameters(), strict=True)
    return {
        "arrived": arrived(model, saved),
        "weights": len([*saved.parameters()]),
        "held": len(held),
        "moments": sum(same(optimizer.state.get(p, {}), held.get(id(q), {})) for p, q in pairs),
        "anew": sum(not optimizer.state.get(p) for p in model.parameters()),
    }


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
    without = snippet("without-state", optimizer=optimizer)["without"]
    return {
        "found": bool(without),
        "without_state": len(without),
        "moments": moments(optimizer, trained),
        "arrived": arrived(model, saved),
        "weights": len([*saved.parameters()]),
    }
