"""Load a checkpoint in each of the ways, and say which weights the model then has."""

from __future__ import annotations

from typing import Any

import deepspeed
import torch
import torch.distributed as dist
from deepspeed.utils import safe_get_full_fp32_param
from deepspeed.utils.zero_to_fp32 import get_fp32_state_dict_from_zero_checkpoint
from failure import X, build, load, train_and_save

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import join_ranks


def known(stage: int, tag: str) -> Any:
    """Return the weights of a checkpoint, loaded whole: with the optimizer's state."""
    return weights(load(stage, "saved", tag=tag))


def weights(engine: Any) -> Any:
    """Return all weights, those that the optimizer trains, as one vector."""
    return torch.cat([safe_get_full_fp32_param(p).flatten() for p in engine.module.parameters()])


def run(*, stage: int = 3, asked: str = "step40", **how: Any) -> dict[str, Any]:
    """Train and save, load, and say which weights the model then has."""
    join_ranks()
    train_and_save(stage, "saved")
    engine = load(stage, "saved", **how)
    with torch.no_grad():
        loss = float((engine(X.to(engine.device)) - 1).square().mean())
    mine = weights(engine)
    same = {tag: torch.equal(mine, known(stage, tag)) for tag in ("step20", "step40")}
    fresh = torch.equal(mine, weights(build(stage, seed=1)))
    measure(loss=loss, world=dist.get_world_size(), fresh=fresh, **same)
    return {"found": not same[asked]}


def partly_frozen(**how: Any) -> dict[str, Any]:
    """Do the same with the first layer frozen, and tell it from the layer that was trained."""
    join_ranks()
    train_and_save(3, "saved", frozen=True)
    saved = get_fp32_state_dict_from_zero_checkpoint("saved", "step40")
    module = load(3, "saved", frozen=True, **how).module
    with deepspeed.zero.GatheredParameters(list(module.parameters())):
        same = [torch.equal(module[at].weight.cpu(), saved[f"{at}.weight"]) for at in (0, 2)]
    return {"frozen": same[0], "trained": same[1], "found": not all(same)}


def guarded(how: str, *, tag: str = "step40") -> dict[str, Any]:
    """Load ``how``, and let the page's assertion look."""
    join_ranks()
    train_and_save(3, "saved")
    if how == "load-first":
        use = snippet(how)["load_first"]
        engine = build(3, 1, lambda model: use(model, "saved", tag))
    elif how == "no-states":
        engine = build(3, 1)
        snippet(how, engine=engine, folder="saved")
    else:
        engine = load(3, "saved", tag=tag, **OPTIONS[how])
    measure(step20=torch.equal(weights(engine), known(3, "step20")))
    snippet("assert-loaded")["assert_loaded"](engine, "saved", tag)
    return {"passed": True, "found": False}


OPTIONS: dict[str, dict[str, bool]] = {
    "module-only": {"load_module_only": True},
    "without-states": {"load_optimizer_states": False},
    "everything": {},
}
