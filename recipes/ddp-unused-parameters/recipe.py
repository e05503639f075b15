"""Parameters that no loss uses: DDP waits for their gradients, and says so one step later."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from failure import Encoder, average, train
from torch import Tensor, nn

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

POOLER = "bert.pooler.dense.weight"


def batches(rank: int) -> list[Tensor]:
    """Return three batches, other ones on each rank."""
    generator = torch.Generator().manual_seed(rank)
    return [torch.randint(64, (2, 8), generator=generator) for _ in range(3)]


def note(gradient: Tensor | None) -> None:
    """Record the pooler's gradient, if it gets one."""
    if gradient is not None:
        measure(pooler_gradient=float(gradient.abs().max()))


def run(model: nn.Module, **options: Any) -> dict[str, Any]:
    """Train, and return which weights moved and how far the ranks are apart."""
    dist.init_process_group("gloo")
    for name, parameter in model.named_parameters():
        if name == POOLER and parameter.requires_grad:
            parameter.register_hook(note)
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    train(model, batches(dist.get_rank()), **options)
    still = [name for name, p in model.named_parameters() if torch.equal(p, before[name])]
    pooler = before.get(POOLER)
    if pooler is not None:
        now = dict(model.named_parameters())[POOLER].detach()
        measure(pooler_norm=float(now.norm() / pooler.norm()))
    vector = nn.utils.parameters_to_vector(model.parameters()).detach()
    of_rank = [torch.zeros_like(vector) for _ in range(dist.get_world_size())]
    dist.all_gather(of_rank, vector)
    return {"still": still, "apart": float((of_rank[0] - of_rank[1]).abs().max())}


def encoder(**changes: Any) -> Encoder:
    """Return the same model on every rank."""
    torch.manual_seed(0)
    return Encoder(**changes)


@reproduce(on="cpu", ranks=2)
def pooler_returned() -> Any:
    """The second forward notices that the first backward left gradients out."""
    return run(encoder())


@fix("freeze", control="pooler-returned", on="cpu", ranks=2)
def pooler_frozen() -> Any:
    """DDP does not wait for what is frozen."""
    return run(snippet("freeze", model=encoder())["model"])


@fix("leave-out", control="pooler-returned", on="cpu", ranks=2)
def pooler_left_out() -> Any:
    """What does not exist needs no gradient."""
    return run(encoder(pooler=False))


@fix("find-unused", control="pooler-returned", on="cpu", ranks=2)
def find_unused_while_returned() -> Any:
    """Even though a path leads from what forward returned to the pooler."""
    return run(encoder(), find_unused_parameters=True)


@non_fix("zero-times", control="pooler-returned", on="cpu", ranks=2)
def zero_times_everything() -> Any:
    """It runs, and the optimizer now treats the pooler as trained."""
    return run(encoder(), zero_times=True)


@reproduce(on="cpu", ranks=2)
def pooler_not_returned() -> Any:
    """The same with a forward that returns the average alone."""
    return run(encoder(everything=False))


@fix("find-unused", control="pooler-not-returned", on="cpu", ranks=2)
def find_unused() -> Any:
    """DDP finds that nothing leads from what forward returned to the pooler."""
    return run(encoder(everything=False), find_unused_parameters=True)


def look(model: Encoder) -> dict[str, Any]:
    """List parameters without a gradient on one process, as the page does."""
    loss = average(model(batches(0)[0])).square().mean()
    unused = snippet("list", model=model, loss=loss)["unused"]
    return {"found": bool(unused), "unused": unused}


@detect(found=True, on="cpu")
def listed() -> Any:
    """One process, no DDP, no error."""
    return look(encoder())


@detect(found=False, control="listed", on="cpu")
def nothing_listed() -> Any:
    """Without the pooler everything has a gradient."""
    return look(encoder(pooler=False))


@detect(found=False, control="listed", on="cpu")
def nothing_listed_once_frozen() -> Any:
    """What is frozen is not asked for a gradient."""
    return look(snippet("freeze", model=encoder())["model"])


if __name__ == "__main__":
    main(__file__)
