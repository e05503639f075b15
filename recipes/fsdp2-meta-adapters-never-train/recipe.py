"""Adapters on the meta device drop out of FSDP2's optimizer: only one rank trains them."""

# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0", "peft==0.21.2",
#     "deepspeed==0.19.8", "datasets==5.2.0", "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///
from __future__ import annotations

from typing import Any

from proof_ranks import ZERO_2, run, run_guarded, run_to_the_ratio, run_unsaved

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="cpu", ranks=2)
def checkpoint_cannot_be_saved() -> dict[str, Any]:
    """Only rank 0 has optimizer state, and DCP refuses the checkpoint."""
    return run()


@fix("load-on-every-rank", control="checkpoint-cannot-be-saved", on="cpu", ranks=2)
def loaded_on_every_rank() -> dict[str, Any]:
    """Every rank reads the weights, and every rank trains."""
    return run(ram_efficient=False)


@fix("materialise-the-adapters", control="checkpoint-cannot-be-saved", on="cpu", ranks=2)
def materialised_before_the_optimizer() -> dict[str, Any]:
    """RAM-efficient loading stays on; the adapters get storage, as the page prints it."""
    return run(prepare="materialise-the-adapters")


@fix("deepspeed", control="checkpoint-cannot-be-saved", on="cpu", ranks=2, needs=["deepspeed"])
def deepspeed_zero_2() -> dict[str, Any]:
    """DeepSpeed looks no parameter up by its address."""
    return run(deepspeed=ZERO_2)


@non_fix("save-only-model", control="checkpoint-cannot-be-saved", on="cpu", ranks=2)
def save_only_model_is_refused() -> dict[str, Any]:
    """Since 4.50 transformers does not even build the Trainer."""
    return run(save_only_model=True)


@non_fix("full-state-dict", control="checkpoint-cannot-be-saved", on="cpu", ranks=2)
def full_state_dict_of_a_broken_run() -> dict[str, Any]:
    """Ranks without state enter other collectives than rank 0: on gloo the process aborts."""
    return run(state_dict="FULL_STATE_DICT")


# --- nothing is saved, so nothing fails ------------------------------------------------------


@detect(found=True, on="cpu", ranks=2)
def one_rank_never_trains() -> dict[str, Any]:
    """Training ends normally, with half of every adapter as it was initialised."""
    return run_unsaved()


@detect(found=False, control="one-rank-never-trains", on="cpu", ranks=2)
def stock_loading_trains_every_rank() -> dict[str, Any]:
    """RAM-efficient loading as transformers itself does it puts nothing on meta."""
    return run_unsaved(meta=False)


@detect(found=True, on="cpu", ranks=2)
def callback_stops_the_run() -> dict[str, Any]:
    """The callback of the page counts the adapters that each rank's optimizer has lost."""
    return run_guarded()


@detect(found=False, control="callback-stops-the-run", on="cpu", ranks=2)
def callback_lets_it_train() -> dict[str, Any]:
    """With nothing on meta it has nothing to say."""
    return run_guarded(meta=False)


@detect(found=False, control="callback-stops-the-run", on="cpu", ranks=2)
def callback_lets_the_fix_train() -> dict[str, Any]:
    """Nor where every rank loads: the recommended fix."""
    return run_guarded(ram_efficient=False)


# --- what the volumes in the message tell ----------------------------------------------------


@detect(found=True, on="cpu", ranks=4)
def ratio_on_four_ranks() -> dict[str, Any]:
    """One rank of four has state."""
    return run_to_the_ratio()


@detect(found=True, on="cpu", ranks=4)
def ratio_on_two_nodes() -> dict[str, Any]:
    """Every node has a local rank 0, so two ranks of four have state."""
    return run_to_the_ratio(nodes=2)


@detect(found=True, on="cpu", ranks=4)
def ratio_of_a_low_lora_rank() -> dict[str, Any]:
    """A has two rows for four ranks: two ranks hold nothing of it, and its ratio is smaller."""
    return run_to_the_ratio(lora_rank=2)


if __name__ == "__main__":
    main(__file__)
