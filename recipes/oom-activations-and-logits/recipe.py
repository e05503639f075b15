"""A step runs out of memory in each of its phases, and what makes that phase fit."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0",
#     "bitsandbytes==0.50.2", "peft==0.21.2", "axolotl==0.19.0", "liger_kernel==0.8.5",
#     "triton==3.7.1", "datasets==5.2.0",
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

from proof_axolotl import rows_kept
from proof_cuda import under_cap
from proof_limit import kept, one_by_one_within, train_within, update_within
from proof_shape import step

from fixbook.recipe import detect, fix, main, reproduce

TRAIN_MIB, ROW_MIB, UPDATE_MIB = 92, 300, 130
LATE_MIB = 300
PREFERENCE_MIB = 70
INTERPRETED = {"TRITON_INTERPRET": "1"}
TRL = ["trl==1.16.0"]


def preference_within(micro_batch: int = 4) -> dict[str, Any]:
    """Train on TRL's log-probabilities within a limit."""
    shape: dict[str, Any] = {"length": 1024, "micro_batch": micro_batch}
    return train_within(PREFERENCE_MIB, checkpointing=True, loss="preference", **shape)


# --- forward and backward ------------------------------------------------------------------------


@reproduce()
def logits_do_not_fit() -> dict[str, Any]:
    """Forward keeps the activations of all layers; the logits, copied to fp32, are too much."""
    return train_within(TRAIN_MIB)


@detect(found=True, on="any")
def layers_keep_most() -> dict[str, Any]:
    """Count what autograd keeps: the inside of every layer, more than the logits."""
    return kept()


@detect(found=False, control="layers-keep-most", on="any")
def checkpointed_layers_keep_little() -> dict[str, Any]:
    """Count again with checkpointing: mostly logits are left."""
    return kept(checkpointing=True)


@fix("gradient-checkpointing", control="logits-do-not-fit")
def checkpointing_fits() -> dict[str, Any]:
    """Keep the input of each layer and compute the rest again in backward."""
    return train_within(TRAIN_MIB, checkpointing=True)


@fix("fused-loss", control="logits-do-not-fit")
def chunked_loss_fits() -> dict[str, Any]:
    """Never hold all logits: PyTorch's own chunked loss, as the page prints it."""
    return train_within(TRAIN_MIB, loss="chunked")


@fix("fused-loss", control="logits-do-not-fit", env=INTERPRETED, timeout_s=300)
def liger_loss_fits() -> dict[str, Any]:
    """Never hold all logits: what `use_liger_kernel` and axolotl's plugin switch on."""
    return train_within(TRAIN_MIB, loss="liger")


@fix("smaller-micro-batch", control="logits-do-not-fit")
def one_row_at_a_time_fits() -> dict[str, Any]:
    """Let the gradients of four rows add up, one row at a time."""
    return train_within(TRAIN_MIB, micro_batch=1)


@reproduce(versions=TRL)
def log_probabilities_do_not_fit() -> dict[str, Any]:
    """With checkpointing, TRL's log-probabilities are what is too much."""
    return preference_within()


@fix("smaller-micro-batch", control="log-probabilities-do-not-fit", versions=TRL)
def log_probabilities_of_one_row_fit() -> dict[str, Any]:
    """One row at a time needs a quarter of them."""
    return preference_within(micro_batch=1)


@reproduce()
def attention_scores_do_not_fit() -> dict[str, Any]:
    """Keep the scores of one long row, as `eager` attention does in every layer."""
    return train_within(ROW_MIB, rows=1, length=1024, attention="eager")


@fix("attention-implementation", control="attention-scores-do-not-fit")
def sdpa_fits() -> dict[str, Any]:
    """Let the attention kernel keep no scores."""
    return train_within(ROW_MIB, rows=1, length=1024, attention="sdpa")


# --- one long row, late --------------------------------------------------------------------------


@reproduce()
def longest_row_does_not_fit() -> dict[str, Any]:
    """Short rows train well, and then comes a long one."""
    return one_by_one_within(LATE_MIB)


@fix("long-rows", control="longest-row-does-not-fit")
def long_rows_left_out() -> dict[str, Any]:
    """Leave out what is too long, and train on the longest first."""
    return one_by_one_within(LATE_MIB, left_out=True)


# --- the optimizer -------------------------------------------------------------------------------


@reproduce()
def optimizer_states_do_not_fit() -> dict[str, Any]:
    """Get through backward, and run out where AdamW makes its states."""
    return update_within(UPDATE_MIB)


@reproduce()
def checkpointed_states_do_not_fit() -> dict[str, Any]:
    """Checkpointing takes nothing from the states."""
    return update_within(UPDATE_MIB, checkpointing=True)


@fix("eight-bit-optimizer", control="optimizer-states-do-not-fit")
def eight_bit_states_fit() -> dict[str, Any]:
    """Keep the states in eight bits: bitsandbytes' own optimizer, on the CPU."""
    return update_within(UPDATE_MIB, optimizer="AdamW8bit")


@fix("lora", control="optimizer-states-do-not-fit")
def lora_fits() -> dict[str, Any]:
    """Train adapters alone: next to no gradients and states."""
    return update_within(UPDATE_MIB, lora=True)


# --- the shape of a 3B model ---------------------------------------------------------------------


@detect(found=True)
def step_of_a_3b_model() -> dict[str, Any]:
    """Show what the peak of a 3B model is made of: rows of 4096 tokens, four at a time."""
    return step()


@fix("gradient-checkpointing", control="step-of-a-3b-model")
def checkpointed_3b_model() -> dict[str, Any]:
    """Recompute the inside of each layer in backward."""
    return step(checkpointing=True)


@fix("gradient-checkpointing", control="step-of-a-3b-model")
def checkpointed_3b_model_with_chunked_loss() -> dict[str, Any]:
    """Recompute the inside of each layer, and never hold all logits."""
    return step(checkpointing=True, fused_loss=True)


@detect(found=True)
def eager_row_of_a_3b_model() -> dict[str, Any]:
    """Show what `eager` attention keeps for one row of 4096 tokens."""
    return step(rows=1, attention="eager")


@fix("attention-implementation", control="eager-row-of-a-3b-model")
def sdpa_row_of_a_3b_model() -> dict[str, Any]:
    """Let the attention kernel keep no scores."""
    return step(rows=1, attention="sdpa")


@detect(found=False, control="step-of-a-3b-model")
def row_of_512_of_a_3b_model() -> dict[str, Any]:
    """Show that one row of 512 tokens keeps little beside weights and states."""
    return step(rows=1, length=512)


# --- axolotl -------------------------------------------------------------------------------------


@detect(found=True, needs=["axolotl"])
def length_under_a_wrong_key() -> dict[str, Any]:
    """Show that `sequence_length` vanishes, and the rows over the default length with it."""
    return rows_kept("sequence_length")


@fix("real-length-key", control="length-under-a-wrong-key", needs=["axolotl"])
def length_under_the_right_key() -> dict[str, Any]:
    """Show that the length counts under its real name, and every row stays."""
    return rows_kept("sequence_len")


# --- a GPU ---------------------------------------------------------------------------------------


@reproduce(on="cuda", gpu_memory_gib=8, timeout_s=180)
def cuda_step_does_not_fit() -> Any:
    """Run out of memory under a cap that a checkpointed step meets."""
    return under_cap()


@fix(
    "gradient-checkpointing",
    control="cuda-step-does-not-fit",
    on="cuda",
    gpu_memory_gib=8,
    timeout_s=180,
)
def cuda_checkpointing_fits() -> Any:
    """Meet the cap."""
    return under_cap(checkpointing=True)


if __name__ == "__main__":
    main(__file__)
