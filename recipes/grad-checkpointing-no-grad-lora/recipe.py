"""Reentrant checkpoints whose inputs need no gradient leave the loss without a graph."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import failure
from proof_looks import look, took_step, trained

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def features_as_inputs() -> Any:
    """Nothing that the first block reads needs a gradient; the hook on the embedding is idle."""
    return took_step()


@reproduce()
def own_blocks() -> Any:
    """The same in plain PyTorch, where reentrant is still the default."""
    return {"trained": int(failure.own_blocks().weight.grad is not None)}


@reproduce()
def frozen_adapter_looks_alike() -> None:
    """Another cause with the same warning and the same error: the log cannot tell them apart."""
    failure.step(failure.checkpointed(frozen=True))


@fix("not-reentrant", control="features-as-inputs")
def features_not_reentrant() -> Any:
    """The gradients are those without checkpointing."""
    return took_step(reentrant=False)


@fix("not-reentrant", control="own-blocks")
def own_blocks_not_reentrant() -> Any:
    """The block's own parameters count."""
    return {"trained": int(failure.own_blocks(reentrant=False).weight.grad is not None)}


@fix("inputs-need-gradients", control="features-as-inputs")
def features_marked() -> Any:
    """The features are marked by hand."""
    return took_step(marked=True)


@non_fix("loss-requires-grad", control="features-as-inputs")
def loss_marked() -> Any:
    """The backward ends at the loss itself."""
    return took_step(forced=True)


@detect(found=True)
def finds_the_cut() -> dict[str, Any]:
    """Without checkpointing the same forward has a graph."""
    return look()


@detect(found=False, control="finds-the-cut")
def rules_out_a_frozen_adapter() -> dict[str, Any]:
    """PEFT loads an adapter for inference unless told otherwise."""
    return look(frozen=True)


@detect(found=False, control="finds-the-cut")
def rules_out_no_grad() -> dict[str, Any]:
    """The forward runs where gradients are off."""
    return look(no_grad=True)


@detect(found=True)
def head_trains_alone() -> Any:
    """A trainable head gives the loss a graph that ends before the blocks."""
    return trained()


@detect(found=False, control="head-trains-alone")
def head_and_adapter_train() -> Any:
    """The graph goes on through the blocks."""
    return trained(reentrant=False)


if __name__ == "__main__":
    main(__file__)
