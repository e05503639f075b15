"""Reentrant checkpoints whose inputs need no gradient leave the loss without a graph."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2", "pyyaml==6.0.3"
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import failure
from proof_looks import look, look_at, took_step, train, trained, trained_on_an_image

from fixbook.recipe import detect, fix, main, non_fix, reproduce

# Before it these lose their gradient as well.
FIVE = ["transformers>=5"]

LIBRARIES = ["datasets==4.8.4", "httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1", *LIBRARIES]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", "tokenizers==0.22.1", *LIBRARIES]
ONCE = "an older transformers beside the main one, imported anew"


@reproduce(on="any")
def features_as_inputs() -> Any:
    """Nothing that the first block reads needs a gradient; the hook on the embedding is idle."""
    return took_step()


@reproduce(on="any")
def own_blocks() -> Any:
    """The same in plain PyTorch, where reentrant is still the default."""
    return {"trained": int(failure.own_blocks().weight.grad is not None)}


@reproduce(on="any", versions=LAST_4, record_once=ONCE)
def trainer_of_4_57() -> dict[str, int]:
    """Reentrant, and no hook for an adapter that PEFT has added."""
    return train()


@reproduce(on="any")
def frozen_adapter_looks_alike() -> None:
    """Another cause with the same warning and the same error: the log cannot tell them apart."""
    failure.step(failure.checkpointed(frozen=True), failure.features())


@detect(found=True, on="any")
def finds_the_cut() -> dict[str, Any]:
    """Without checkpointing the same forward has a graph."""
    return look()


@detect(found=False, control="finds-the-cut", on="any")
def rules_out_the_fix() -> dict[str, Any]:
    """With and without checkpointing there is a graph."""
    return look(reentrant=False)


@detect(found=False, control="finds-the-cut", on="any")
def rules_out_a_frozen_adapter() -> dict[str, Any]:
    """PEFT loads an adapter for inference unless told otherwise."""
    return look(frozen=True)


@detect(found=False, control="finds-the-cut", on="any")
def rules_out_no_grad() -> dict[str, Any]:
    """The forward runs where gradients are off."""
    return look(no_grad=True)


@detect(found=False, on="any", needs=FIVE)
def rules_out_gpt2() -> dict[str, Any]:
    """A usual model, with token ids of a usual collator."""
    return look_at("gpt2")


@detect(found=False, on="any", needs=FIVE)
def rules_out_qwen2() -> dict[str, Any]:
    """A usual model, with token ids of a usual collator."""
    return look_at("qwen2")


@detect(found=False, on="any", needs=FIVE)
def rules_out_gemma2() -> dict[str, Any]:
    """A usual model, with token ids of a usual collator."""
    return look_at("gemma2")


@fix("not-reentrant", control="features-as-inputs", on="any")
def features_not_reentrant() -> Any:
    """The gradients are those without checkpointing."""
    return took_step(reentrant=False)


@fix("not-reentrant", control="own-blocks", on="any")
def own_blocks_not_reentrant() -> Any:
    """The block's own parameters count."""
    return {"trained": int(failure.own_blocks(reentrant=False).weight.grad is not None)}


@fix("not-reentrant", control="trainer-of-4-57", on="any", versions=LAST_4, record_once=ONCE)
def trainer_not_reentrant() -> dict[str, int]:
    """The setting in the arguments of the Trainer."""
    return train("after.yaml")


@fix(
    "inputs-need-gradients", control="trainer-of-4-57", on="any", versions=LAST_4, record_once=ONCE
)
def trainer_with_the_hook() -> dict[str, int]:
    """The hook makes the output of the embedding need a gradient."""
    return train(hooked=True)


@fix("inputs-need-gradients", control="features-as-inputs", on="any")
def features_marked() -> Any:
    """The features are marked by hand."""
    return took_step(marked=True)


@fix("transformers-5", control="trainer-of-4-57", on="any", versions=FIRST_5, record_once=ONCE)
def trainer_of_5_0() -> dict[str, int]:
    """The first release that adds the hook itself."""
    return train()


@non_fix("loss-requires-grad", control="features-as-inputs", on="any")
def loss_marked() -> Any:
    """The backward ends at the loss itself."""
    return took_step(forced=True)


@non_fix("set-on-the-model", control="trainer-of-4-57", on="any", versions=LAST_4, record_once=ONCE)
def set_on_the_model() -> dict[str, int]:
    """The Trainer switches checkpointing on once more, with its own arguments."""
    return train(by_hand=True)


@detect(found=True, on="any")
def head_trains_alone() -> Any:
    """A trainable head gives the loss a graph that ends before the blocks."""
    return trained()


@detect(found=False, control="head-trains-alone", on="any")
def head_and_adapter_train() -> Any:
    """The graph goes on through the blocks."""
    return trained(reentrant=False)


@detect(found=True, on="any", versions=LAST_4, record_once=ONCE)
def tower_without_gradients() -> Any:
    """Pixels need no gradient, and the hook sits on the embedding of the language model."""
    return trained_on_an_image()


@detect(found=False, control="tower-without-gradients", on="any", versions=LAST_4, record_once=ONCE)
def tower_with_gradients() -> Any:
    """The tower's own parameters count."""
    return trained_on_an_image(reentrant=False)


if __name__ == "__main__":
    main(__file__)
