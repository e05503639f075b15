"""What the steps compare with one plain process, and what a rank sees of weights and gradients."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from failure import Tuner, wrap
from torch import nn

from fixbook.recipe import backend, device, measure, snippet
from fixbook.recipe.helpers import tiny_llama

IDS = torch.arange(2, 34).reshape(2, 16).to(device())
LIMIT = 1.0


def model(**changes: Any) -> Any:
    """Return the wrapped model, the same weights on every rank."""
    if device() != "cpu":
        torch.cuda.set_device(device())
    dist.init_process_group(backend())
    return wrap(plain(), **changes)


def plain() -> Any:
    """Return the model of one process."""
    return tiny_llama().to(device())


def sample(*, use: str = "", forward_first: bool = False, **changes: Any) -> dict[str, bool]:
    """Write samples, by what the page offers under ``use``, or after a forward."""
    wrapped = model(**changes)
    if forward_first:
        with torch.no_grad():
            wrapped(IDS)
    measure(ready=bool(getattr(wrapped, "_is_root", False)))
    done = snippet(use, model=wrapped, ids=IDS[:, :4]) if use else {}
    tokens = done["tokens"] if "tokens" in done else wrapped.sample(IDS[:, :4])
    return {"same": torch.equal(tokens, Tuner(plain()).sample(IDS[:, :4]))}


def lost(loss: Any) -> dict[str, float]:
    """Compare a loss with that of one plain process."""
    loss.backward()
    return {"off_by": abs(loss.item() - Tuner(plain())(IDS).item())}


def clip(*, whole: bool) -> dict[str, Any]:
    """Clip gradients to one, and return the norm that a rank saw and the one that is left."""
    wrapped = model()
    wrapped(IDS).backward()
    clip_all = wrapped.clip_grad_norm_
    seen = clip_all(LIMIT) if whole else nn.utils.clip_grad_norm_(wrapped.parameters(), LIMIT)
    ranks = [torch.zeros((), device=device()) for _ in range(dist.get_world_size())]
    dist.all_gather(ranks, seen)
    left = clip_all(float("inf"))
    one = Tuner(plain())
    one(IDS).backward()
    true = nn.utils.clip_grad_norm_(one.parameters(), LIMIT)
    measure(of_rank_0=ranks[0].item(), of_rank_1=ranks[1].item(), true=true.item())
    return {"left": left.item(), "found": ranks[0].item() != ranks[1].item()}


def look(*, use: str = "", **changes: Any) -> dict[str, Any]:
    """Ask the embedding what it holds where samples are written, by what the page offers or not."""
    wrapped = model(**changes)

    def ask(_: Any) -> dict[str, Any]:
        weight = wrapped.lm.get_input_embeddings().weight
        measure(shape=list(weight.shape))
        return {"found": not snippet("whole")["whole"](weight)}

    wrapped.module.sample = ask
    found: dict[str, Any] = (
        snippet(use, model=wrapped, ids=IDS)["tokens"] if use else wrapped.sample(IDS)
    )
    return found
