"""Two forwards, one backward, reentrant checkpointing: each rank trains a model of its own."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from functools import partial
from typing import Any

import torch
import torch.distributed as dist
from failure import backward, bypass, train
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from transformers import LlamaForCausalLM

from fixbook.recipe import backend, detect, device, fix, main, reproduce, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_lora

STEPS, PAIRS = 4, 4


def pairs(rank: int) -> list[tuple[Any, Any]]:
    """Return the same pairs in every step, other ones on each rank."""
    generator = torch.Generator().manual_seed(rank)
    left = torch.randint(128, (PAIRS, 12), generator=generator).to(device())
    return [(left, left.roll(1, dims=1))] * STEPS


def base_model(*, shared: bool) -> LlamaForCausalLM:
    """Return a model of two layers, or of one that runs twice."""
    base = tiny_llama()
    if shared:
        base.model.layers[1] = base.model.layers[0]
    return base  # type: ignore[no-any-return]


def run(step: Any, *, shared: bool = False, **changes: Any) -> dict[str, Any]:
    """Train, and return how far the ranks' weights are apart.

    Args:
        step: Computes loss and gradients.
        shared: Whether both layers are one.
        **changes: For `train`.
    """
    if device() != "cpu":
        torch.cuda.set_device(device())
    dist.init_process_group(backend())
    model = tiny_lora(base_model(shared=shared), init_lora_weights="gaussian").to(device())
    losses = train(model, pairs(dist.get_rank()), step, **changes)
    trained = [p for p in model.parameters() if p.requires_grad]
    vector = nn.utils.parameters_to_vector(trained).detach()
    of_rank = [torch.zeros_like(vector) for _ in range(dist.get_world_size())]
    dist.all_gather(of_rank, vector)
    apart = float((of_rank[0] - of_rank[1]).abs().max())
    return {"found": apart > 0, "apart": apart, "falls": losses[-1] < losses[0]}


def guarded(*, by: Any = backward, **changes: Any) -> dict[str, Any]:
    """Train with the assertion of the page after each backward."""

    def step(ddp: Any, compute_loss: Any) -> Any:
        loss = by(ddp, compute_loss)
        snippet("assert")["assert_same_gradients"](ddp.module)
        return loss

    return run(step, **changes)


def unguarded(**changes: Any) -> dict[str, Any]:
    """Train as people do."""
    return run(backward, **changes)


def wrap_and_move(model: Any) -> Any:
    """Wrap the model, and convert what was wrapped."""
    return DistributedDataParallel(model).double().float()


def unfreeze(model: Any, *, wrapped_before: bool) -> Any:
    """Wrap a model whose `lora_B` is frozen until shortly before, or shortly after."""
    late = [weight for name, weight in model.named_parameters() if "lora_B" in name]
    for weight in late:
        weight.requires_grad = False
    ddp = DistributedDataParallel(model) if wrapped_before else None
    for weight in late:
        weight.requires_grad = True
    return ddp or DistributedDataParallel(model)


def not_reentrant(model: Any) -> None:
    """Turn checkpointing on, as the page does."""
    snippet("not-reentrant", model=model)


def by_hand(ddp: Any, compute_loss: Any) -> Any:
    """Reduce the gradients, as the page does."""
    return snippet("by-hand", ddp=ddp, compute_loss=compute_loss)["loss"]


def through_ddp(ddp: Any, ids: Any) -> Any:
    """Run the forward, as the page does."""
    batch = {"input_ids": ids, "output_hidden_states": True}
    return snippet("through-ddp", ddp=ddp, batch=batch)["output"].hidden_states[-1].mean(1)


def no_checkpointing(_: Any) -> None:
    """Leave checkpointing off."""


@reproduce(on="any", ranks=2)
def assertion_stops_it() -> Any:
    """The assertion of the page ends the run in its first step."""
    return guarded()


@reproduce(on="any", ranks=2)
def shared_layer() -> Any:
    """One forward, in which a layer runs twice."""
    return guarded(together=True, shared=True)


@reproduce(on="any", ranks=2)
def moved_after_wrapping() -> Any:
    """No checkpointing; the model was converted after DDP had wrapped it."""
    return guarded(checkpointing=no_checkpointing, wrap=wrap_and_move)


@reproduce(on="any", ranks=2)
def unfrozen_after_wrapping() -> Any:
    """No checkpointing; weights were unfrozen after DDP had wrapped the model."""
    return guarded(checkpointing=no_checkpointing, wrap=partial(unfreeze, wrapped_before=True))


@reproduce(on="any", ranks=2)
def bypassed() -> Any:
    """No checkpointing; the forward goes through the module inside DDP."""
    return guarded(checkpointing=no_checkpointing, embed=bypass)


@detect(found=True, on="any", ranks=2)
def nothing_is_said() -> Any:
    """No error, no warning, a loss that falls."""
    return unguarded()


@detect(found=False, control="nothing-is-said", on="any", ranks=2)
def nothing_to_say() -> Any:
    """The other kind of checkpointing, and nothing else."""
    return unguarded(checkpointing=not_reentrant)


@fix("through-ddp", control="bypassed", on="any", ranks=2)
def called_through_ddp() -> Any:
    """The same forward through DDP itself."""
    return guarded(checkpointing=no_checkpointing, embed=through_ddp)


@fix("not-reentrant", control="assertion-stops-it", on="any", ranks=2)
def other_checkpointing() -> Any:
    """Every gradient arrives once, with both shares in it."""
    return guarded(checkpointing=not_reentrant)


@fix("not-reentrant", control="shared-layer", on="any", ranks=2)
def shared_layer_not_reentrant() -> Any:
    """As with two forwards."""
    return guarded(together=True, shared=True, checkpointing=not_reentrant)


@fix("by-hand", control="assertion-stops-it", on="any", ranks=2)
def reduced_by_hand() -> Any:
    """DDP stays out of it, and the sum of both shares is reduced."""
    return guarded(by=by_hand)


@fix("one-forward", control="assertion-stops-it", on="any", ranks=2)
def one_forward() -> Any:
    """Both halves of the batch in one forward."""
    return guarded(together=True)


@fix("static-graph", control="assertion-stops-it", on="any", ranks=2)
def static_graph() -> Any:
    """DDP counts in the first step how often each parameter reports."""
    return guarded(wrap=partial(DistributedDataParallel, static_graph=True))


@fix("wrap-last", control="moved-after-wrapping", on="any", ranks=2)
def wrapped_last() -> Any:
    """DDP wraps what is not moved any more."""
    return guarded(checkpointing=no_checkpointing)


@fix("wrap-last", control="unfrozen-after-wrapping", on="any", ranks=2)
def unfrozen_before_wrapping() -> Any:
    """The same weights are unfrozen first."""
    return guarded(checkpointing=no_checkpointing, wrap=partial(unfreeze, wrapped_before=False))


if __name__ == "__main__":
    main(__file__)
