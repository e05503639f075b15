"""Two forwards, one backward, reentrant checkpointing: each rank trains a model of its own."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from typing import Any

import torch
import torch.distributed as dist
from failure import train
from torch import nn
from transformers import LlamaForCausalLM

from fixbook.recipe import detect, fix, main, reproduce, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_lora

STEPS, PAIRS = 4, 4


def pairs(rank: int) -> list[tuple[Any, Any]]:
    """Return the same pairs in every step, other ones on each rank."""
    generator = torch.Generator().manual_seed(rank)
    left = torch.randint(128, (PAIRS, 12), generator=generator)
    return [(left, left.roll(1, dims=1))] * STEPS


def base_model(*, shared: bool) -> LlamaForCausalLM:
    """Return a model of two layers, or of one that runs twice."""
    base = tiny_llama()
    if shared:
        base.model.layers[1] = base.model.layers[0]
    return base  # type: ignore[no-any-return]


def run(check: Any, *, shared: bool = False, **changes: Any) -> dict[str, Any]:
    """Train, and return how far the ranks' weights are apart.

    Args:
        check: What looks at the gradients after each backward.
        shared: Whether both layers are one.
        **changes: For `train`.
    """
    dist.init_process_group("gloo")
    model = tiny_lora(base_model(shared=shared), init_lora_weights="gaussian")
    losses = train(model, pairs(dist.get_rank()), check, **changes)
    trained = [p for p in model.parameters() if p.requires_grad]
    vector = nn.utils.parameters_to_vector(trained).detach()
    of_rank = [torch.zeros_like(vector) for _ in range(dist.get_world_size())]
    dist.all_gather(of_rank, vector)
    apart = float((of_rank[0] - of_rank[1]).abs().max())
    return {"found": apart > 0, "apart": apart, "falls": losses[-1] < losses[0]}


def guarded(**changes: Any) -> dict[str, Any]:
    """Train with the assertion of the page."""
    return run(snippet("assert")["assert_same_gradients"], **changes)


def unguarded(**changes: Any) -> dict[str, Any]:
    """Train as people do."""
    return run(lambda _: None, **changes)


@detect(found=True, on="cpu", ranks=2)
def nothing_is_said() -> Any:
    """No error, no warning, a loss that falls."""
    return unguarded()


@detect(found=False, control="nothing-is-said", on="cpu", ranks=2)
def nothing_to_say() -> Any:
    """The other kind of checkpointing, and nothing else."""
    return unguarded(reentrant=False)


@reproduce(on="cpu", ranks=2)
def assertion_stops_it() -> Any:
    """The assertion of the page ends the run in its first step."""
    return guarded()


@fix("not-reentrant", control="assertion-stops-it", on="cpu", ranks=2)
def not_reentrant() -> Any:
    """Every gradient arrives once, with both shares in it."""
    return guarded(reentrant=False)


@fix("one-forward", control="assertion-stops-it", on="cpu", ranks=2)
def one_forward() -> Any:
    """Both halves of the batch in one forward."""
    return guarded(together=True)


@fix("static-graph", control="assertion-stops-it", on="cpu", ranks=2)
def static_graph() -> Any:
    """DDP counts in the first step how often each parameter reports."""
    return guarded(static_graph=True)


@reproduce(on="cpu", ranks=2)
def shared_layer() -> Any:
    """One forward, in which a layer runs twice."""
    return guarded(together=True, shared=True)


@fix("not-reentrant", control="shared-layer", on="cpu", ranks=2)
def shared_layer_not_reentrant() -> Any:
    """As with two forwards."""
    return guarded(together=True, shared=True, reentrant=False)


if __name__ == "__main__":
    main(__file__)
