"""A step runs out of memory in each of its phases, and what makes that phase fit."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0",
#     "bitsandbytes==0.50.2", "peft==0.21.2", "axolotl==0.19.0", "liger_kernel==0.8.5",
#     "triton==3.7.1",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
#
# [[tool.uv.dependency-metadata]]
# name = "axolotl"
# version = "0.19.0"
# requires-dist = []
# ///

from __future__ import annotations

from typing import Any

from proof_limit import kept, train_within, update_within

from fixbook.recipe import detect, fix, main, reproduce

TRAIN_MIB, ROW_MIB, UPDATE_MIB = 92, 300, 130

# --- forward and backward ------------------------------------------------------------------------


@reproduce(on="cpu")
def logits_do_not_fit() -> dict[str, Any]:
    """Forward keeps the activations of all layers; the logits, copied to fp32, are too much."""
    return train_within(TRAIN_MIB)


@fix("gradient-checkpointing", control="logits-do-not-fit", on="cpu")
def checkpointing_fits() -> dict[str, Any]:
    """Keep the input of each layer and compute the rest again in backward."""
    return train_within(TRAIN_MIB, checkpointing=True)


@fix("fused-loss", control="logits-do-not-fit", on="cpu")
def chunked_loss_fits() -> dict[str, Any]:
    """Never hold all logits: PyTorch's own chunked loss, as the page prints it."""
    return train_within(TRAIN_MIB, loss="chunked")


@fix("smaller-micro-batch", control="logits-do-not-fit", on="cpu")
def one_row_at_a_time_fits() -> dict[str, Any]:
    """Let the gradients of four rows add up, one row at a time."""
    return train_within(TRAIN_MIB, micro_batch=1)


@fix("activation-offload", control="logits-do-not-fit", on="cpu")
def parked_activations_fit() -> dict[str, Any]:
    """Park what forward keeps outside the limit, and fetch it in backward."""
    return train_within(TRAIN_MIB, offload=True)


@reproduce(on="cpu")
def attention_scores_do_not_fit() -> dict[str, Any]:
    """Keep the scores of one long row, as `eager` attention does in every layer."""
    return train_within(ROW_MIB, rows=1, length=1024, attention="eager")


@fix("attention-implementation", control="attention-scores-do-not-fit", on="cpu")
def sdpa_fits() -> dict[str, Any]:
    """Let the attention kernel keep no scores."""
    return train_within(ROW_MIB, rows=1, length=1024, attention="sdpa")


# --- the optimizer -------------------------------------------------------------------------------


@reproduce(on="cpu")
def optimizer_states_do_not_fit() -> dict[str, Any]:
    """Get through backward, and run out where AdamW makes its states."""
    return update_within(UPDATE_MIB, optimizer="AdamW")


@fix("eight-bit-optimizer", control="optimizer-states-do-not-fit", on="cpu")
def eight_bit_states_fit() -> dict[str, Any]:
    """Keep the states in eight bits: bitsandbytes' own optimizer, on the CPU."""
    return update_within(UPDATE_MIB, optimizer="AdamW8bit")


@fix("lora", control="optimizer-states-do-not-fit", on="cpu")
def lora_fits() -> dict[str, Any]:
    """Train adapters alone: next to no gradients and states."""
    return update_within(UPDATE_MIB, optimizer="AdamW", lora=True)


# --- what forward keeps --------------------------------------------------------------------------


@detect(found=True, on="cpu")
def layers_keep_most() -> dict[str, Any]:
    """Count what autograd keeps: the inside of every layer, more than the logits."""
    return kept(checkpointing=False)


@detect(found=False, control="layers-keep-most", on="cpu")
def checkpointed_layers_keep_little() -> dict[str, Any]:
    """Count again with checkpointing: mostly logits are left."""
    return kept(checkpointing=True)


if __name__ == "__main__":
    main(__file__)
