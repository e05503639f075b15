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

from proof_alone import run_alone
from proof_axolotl import load_and_train
from proof_ranks import ZERO_2, run, run_guarded, run_to_the_ratio, run_unsaved
from proof_trl import train_in_4_bits

from fixbook.recipe import detect, fix, main, non_fix, reproduce

QUIET = {"AXOLOTL_DO_NOT_TRACK": "1"}
# What axolotl's loader imports besides; libraries are those of the main environment in both.
LOADER = ["posthog==6.7.11", "six==1.17.0", "backoff==2.2.1", "distro==1.9.0", "fastcore==2.2.39"]
BAD = ["axolotl==0.18.0", *LOADER]
GOOD = ["axolotl==0.19.0", *LOADER]
TRL = ["trl==1.16.0", "datasets==4.8.4", "httpx==0.28.1", "httpcore==1.0.9", "tokenizers==0.22.2"]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", *TRL]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", *TRL]


@reproduce(on="any", ranks=2)
def checkpoint_cannot_be_saved() -> dict[str, Any]:
    """Only rank 0 has optimizer state, and DCP refuses the checkpoint."""
    return run()


@reproduce(on="any", ranks=2, versions=BAD, env=QUIET, timeout_s=180)
def axolotl_0_18_saves_a_checkpoint() -> dict[str, Any]:
    """The last bad release."""
    return load_and_train()


@reproduce(on="any", ranks=2, versions=LAST_4, needs=["bitsandbytes"], timeout_s=180)
def trl_qlora_stays_on_meta() -> dict[str, Any]:
    """Transformers 4.57 leaves the 4-bit model of the other ranks on meta; FSDP2 refuses it."""
    return train_in_4_bits()


# --- nothing is saved, so nothing fails ------------------------------------------------------


@detect(found=True, on="any", ranks=2)
def one_rank_never_trains() -> dict[str, Any]:
    """Training ends normally, with half of every adapter as it was initialised."""
    return run_unsaved()


@detect(found=False, control="one-rank-never-trains", on="any", ranks=2)
def stock_loading_trains_every_rank() -> dict[str, Any]:
    """RAM-efficient loading as transformers itself does it puts nothing on meta."""
    return run_unsaved(meta=False)


# --- the callback of the page, on the failure and on sound runs ------------------------------


@detect(found=True, on="any", ranks=2)
def callback_stops_the_run() -> dict[str, Any]:
    """The callback counts the adapters that each rank's optimizer has lost."""
    return run_guarded()


@detect(found=False, control="callback-stops-the-run", on="any", ranks=2)
def callback_lets_the_fix_train() -> dict[str, Any]:
    """Every rank loads: the recommended fix."""
    return run_guarded(ram_efficient=False)


@detect(found=False, control="callback-stops-the-run", on="any", ranks=2)
def callback_lets_it_train() -> dict[str, Any]:
    """Nothing is on meta."""
    return run_guarded(meta=False)


@detect(found=False, control="callback-stops-the-run", on="any", ranks=2, needs=["deepspeed"])
def callback_lets_deepspeed_train() -> dict[str, Any]:
    """ZeRO-2 keeps flat copies in its optimizer: none of the model's own parameters."""
    return run_guarded(deepspeed=ZERO_2)


@detect(found=False, control="callback-stops-the-run", on="any", ranks=2)
def callback_lets_ddp_train() -> dict[str, Any]:
    """No sharding at all."""
    return run_guarded(sharded=False)


@detect(found=False, on="any")
def callback_lets_one_process_train() -> dict[str, Any]:
    """No process group at all."""
    return run_alone()


# --- what the volumes in the message tell ----------------------------------------------------


@detect(found=True, on="any", ranks=4)
def ratio_on_four_ranks() -> dict[str, Any]:
    """One rank of four has state."""
    return run_to_the_ratio()


@detect(found=True, on="cpu", ranks=4)
def ratio_on_two_nodes() -> dict[str, Any]:
    """Every node has a local rank 0, so two ranks of four have state; the nodes are simulated."""
    return run_to_the_ratio(nodes=2)


@detect(found=True, on="any", ranks=4)
def ratio_of_a_low_lora_rank() -> dict[str, Any]:
    """A has two rows for four ranks: two ranks hold nothing of it, and its ratio is smaller."""
    return run_to_the_ratio(lora_rank=2)


# --- fixes -----------------------------------------------------------------------------------


@fix("load-on-every-rank", control="checkpoint-cannot-be-saved", on="any", ranks=2)
def loaded_on_every_rank() -> dict[str, Any]:
    """Every rank reads the weights, and every rank trains."""
    return run(ram_efficient=False)


@fix(
    "load-on-every-rank",
    control="axolotl-0-18-saves-a-checkpoint",
    on="any",
    ranks=2,
    versions=BAD,
    env=QUIET,
    timeout_s=180,
)
def axolotl_0_18_loads_on_every_rank() -> dict[str, Any]:
    """The last bad release with cpu_ram_efficient_loading: false."""
    return load_and_train(ram_efficient=False)


@fix(
    "load-on-every-rank",
    control="trl-qlora-stays-on-meta",
    on="any",
    ranks=2,
    versions=LAST_4,
    needs=["bitsandbytes"],
    timeout_s=180,
)
def trl_qlora_loads_on_every_rank() -> dict[str, Any]:
    """The same release with cpu_ram_efficient_loading: false."""
    return train_in_4_bits(ram_efficient=False)


@fix(
    "axolotl-0-19",
    control="axolotl-0-18-saves-a-checkpoint",
    on="any",
    ranks=2,
    versions=GOOD,
    env=QUIET,
    timeout_s=180,
)
def axolotl_0_19_saves_a_checkpoint() -> dict[str, Any]:
    """The first good release, with the same configuration and libraries."""
    return load_and_train()


@fix(
    "transformers-5",
    control="trl-qlora-stays-on-meta",
    on="any",
    ranks=2,
    versions=FIRST_5,
    needs=["bitsandbytes"],
    timeout_s=180,
)
def trl_qlora_on_transformers_5() -> dict[str, Any]:
    """Since 5.0 every rank reads a 4-bit model, whatever the setting says."""
    return train_in_4_bits()


@fix("materialise-the-adapters", control="checkpoint-cannot-be-saved", on="any", ranks=2)
def materialised_before_the_optimizer() -> dict[str, Any]:
    """RAM-efficient loading stays on; the adapters get storage, as the page prints it."""
    return run(prepare="materialise-the-adapters")


@fix("deepspeed", control="checkpoint-cannot-be-saved", on="any", ranks=2, needs=["deepspeed"])
def deepspeed_zero_2() -> dict[str, Any]:
    """DeepSpeed looks no parameter up by its address."""
    return run(deepspeed=ZERO_2)


@non_fix("save-only-model", control="checkpoint-cannot-be-saved", on="any", ranks=2)
def save_only_model_is_refused() -> dict[str, Any]:
    """Since 4.50 transformers does not even build the Trainer."""
    return run(save_only_model=True)


@non_fix("full-state-dict", control="checkpoint-cannot-be-saved", on="cpu", ranks=2)
def full_state_dict_of_a_broken_run() -> dict[str, Any]:
    """Ranks without state enter other collectives than rank 0: on gloo the process aborts."""
    return run(state_dict="FULL_STATE_DICT")


if __name__ == "__main__":
    main(__file__)
