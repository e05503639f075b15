"""Parameters that no loss uses: DDP waits for their gradients, and says so one step later."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from failure import train
from proof_models import (
    POOLER,
    batches,
    encoder,
    loss_of,
    saved_bert,
    stock_losses,
    text_alone,
    unused_by,
    watch_pooler,
    with_lora,
)
from torch import nn

from fixbook.recipe import (
    backend,
    detect,
    device,
    fix,
    main,
    measure,
    non_fix,
    reproduce,
    snippet,
)


def run(model: nn.Module, *, freeze_late: bool = False, **options: Any) -> dict[str, Any]:
    """Train, and return which weights moved and how far the ranks are apart."""
    if device() != "cpu":
        torch.cuda.set_device(device())
    dist.init_process_group(backend())
    watch_pooler(model)
    measure(static=options.get("static_graph", False))
    if freeze_late:
        options["once_wrapped"] = lambda: snippet("freeze", model=model)
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    train(model, batches(dist.get_rank()), **options)
    still = [name for name, p in model.named_parameters() if torch.equal(p, before[name])]
    if POOLER in before:
        now = dict(model.named_parameters())[POOLER].detach()
        measure(pooler_norm=float(now.norm() / before[POOLER].norm()))
    vector = nn.utils.parameters_to_vector(model.parameters()).detach()
    of_rank = [torch.zeros_like(vector) for _ in range(dist.get_world_size())]
    dist.all_gather(of_rank, vector)
    return {"still": still, "apart": float((of_rank[0] - of_rank[1]).abs().max())}


def look(model: nn.Module) -> dict[str, Any]:
    """List parameters without a gradient on one process, as the page does."""
    unused = unused_by(model, loss_of(model))
    return {"found": bool(unused), "unused": unused}


@reproduce(on="any", ranks=2)
def pooler_returned() -> Any:
    """The second forward notices that the first backward left gradients out."""
    return run(encoder())


@reproduce(on="any", ranks=2)
def pooler_not_returned() -> Any:
    """The same with a forward that returns the average alone."""
    return run(encoder(everything=False))


@reproduce(on="any", ranks=2, env={"TORCH_DISTRIBUTED_DEBUG": "INFO"})
def lora_reaches_the_pooler() -> Any:
    """PEFT freezes the pooler, and what it adds there gets no gradient."""
    return run(with_lora())


@reproduce(on="any", ranks=2)
def pooler_frozen_too_late() -> Any:
    """DDP has registered the pooler by then."""
    return run(encoder(), freeze_late=True)


@detect(found=True, on="any")
def listed() -> Any:
    """One process, no DDP, no error."""
    return look(encoder())


@detect(found=True, on="any")
def listed_for_text_alone() -> Any:
    """A vision-language model that sees no image."""
    unused = unused_by(*text_alone())
    towers = [name for name in unused if "vision_tower" in name or "projector" in name]
    return {"found": bool(unused), "of_the_images": len(towers) / len(unused)}


@fix("freeze", control="pooler-returned", on="any", ranks=2)
def pooler_frozen() -> Any:
    """DDP does not wait for what is frozen."""
    return run(snippet("freeze", model=encoder())["model"])


@detect(found=False, control="listed", on="any")
def nothing_listed_once_frozen() -> Any:
    """What is frozen is not asked for a gradient."""
    return look(snippet("freeze", model=encoder())["model"])


@detect(found=False, on="any")
def nothing_listed_of_stock_models() -> Any:
    """Each loss of these uses every parameter."""
    unused = [name for one in stock_losses() for name in unused_by(*one)]
    return {"found": bool(unused), "unused": unused}


@fix("leave-out", control="pooler-returned", on="any", ranks=2)
def pooler_left_out() -> Any:
    """What does not exist needs no gradient."""
    return run(encoder(bert=snippet("leave-out", checkpoint=saved_bert())["bert"]))


@detect(found=False, control="listed", on="any")
def nothing_listed() -> Any:
    """Without the pooler everything has a gradient."""
    return look(encoder(bert=snippet("leave-out", checkpoint=saved_bert())["bert"]))


@fix(
    "exclude-from-lora",
    control="lora-reaches-the-pooler",
    on="any",
    ranks=2,
    env={"TORCH_DISTRIBUTED_DEBUG": "INFO"},
)
def lora_without_the_pooler() -> Any:
    """No adapter in the pooler."""
    return run(with_lora(snippet("exclude-from-lora")["config"]))


@fix("find-unused", control="pooler-not-returned", on="any", ranks=2)
def find_unused() -> Any:
    """DDP finds that nothing leads from what forward returned to the pooler."""
    return run(encoder(everything=False), find_unused_parameters=True)


@fix("find-unused", control="pooler-returned", on="any", ranks=2)
def find_unused_while_returned() -> Any:
    """Even though a path leads from what forward returned to the pooler."""
    return run(encoder(), find_unused_parameters=True)


@fix("find-unused", control="pooler-not-returned", on="any", ranks=2)
def static_graph() -> Any:
    """DDP notes in the first step what gets no gradient, and does not look again."""
    return run(encoder(everything=False), static_graph=True)


@non_fix("zero-times", control="pooler-returned", on="any", ranks=2)
def zero_times_everything() -> Any:
    """It runs, and the optimizer now treats the pooler as trained."""
    return run(encoder(), zero_times=True)


@non_fix("static-graph-returned", control="pooler-returned", on="any", ranks=2)
def static_graph_while_returned() -> Any:
    """What forward returns counts as used, though the loss leaves it out."""
    return run(encoder(), static_graph=True)


if __name__ == "__main__":
    main(__file__)
