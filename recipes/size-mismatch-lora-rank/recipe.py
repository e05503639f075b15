"""LoRA weights of one rank, and a model or a configuration with another; and what is silent."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2", "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import proof_loading
from proof_loading import loaded, loaded_as_saved, put_in, resumed, resumed_as_saved

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="any")
def resumed_with_another_rank() -> dict[str, Any]:
    """The checkpoint has rank 16, the model 8."""
    return resumed(r=8)


@reproduce(on="any")
def configuration_of_another_run() -> dict[str, Any]:
    """The weights have rank 16, adapter_config.json says 8."""
    return loaded(r=8)


@reproduce(on="any")
def loaded_by_transformers() -> dict[str, Any]:
    """The same with load_adapter, which prints a table."""
    return proof_loading.loaded_by_transformers(r=8)


@reproduce(on="any")
def put_into_another_rank() -> dict[str, Any]:
    """A script builds the model with rank 8, then puts the weights in."""
    return put_in(r=8)


@detect(found=True, on="any")
def resumed_with_another_alpha() -> dict[str, Any]:
    """Every shape is the same."""
    return resumed(lora_alpha=8)


@detect(found=False, control="resumed-with-another-alpha", on="any")
def resumed_with_the_same() -> dict[str, Any]:
    """As it was saved."""
    return resumed()


@detect(found=False, on="any")
def resumed_with_all_linear() -> dict[str, Any]:
    """A usual setting: PEFT has replaced the word by names in both."""
    return resumed_as_saved(target_modules="all-linear")


@detect(found=True, on="any")
def loaded_with_fewer_modules() -> dict[str, Any]:
    """What was learnt in down_proj has no place."""
    return loaded(target_modules=["q_proj", "v_proj"])


@detect(found=False, control="loaded-with-fewer-modules", on="any")
def loaded_with_all_modules() -> dict[str, Any]:
    """As it was saved."""
    return loaded(target_modules=["q_proj", "v_proj", "down_proj"])


@detect(found=False, on="any")
def loaded_with_a_head() -> dict[str, Any]:
    """A usual setting: the head was trained and saved whole, beside the adapter."""
    return loaded_as_saved(modules_to_save=["lm_head"])


@fix("settings-of-the-checkpoint", control="resumed-with-another-rank", on="any")
def resumed_with_its_settings() -> dict[str, Any]:
    """The model is made from the checkpoint's own settings."""
    return resumed("own-settings", r=8)


@fix("settings-of-the-checkpoint", control="put-into-another-rank", on="any")
def put_into_its_own_rank() -> dict[str, Any]:
    """The model is made from the folder's own settings."""
    return put_in("own-settings", r=8)


@fix("new-rank", control="resumed-with-another-rank", on="any")
def merged_then_another_rank() -> dict[str, Any]:
    """What was learnt goes into the weights, and an adapter of rank 8 begins on top."""
    return resumed("new-rank", r=8)


@fix("rank-of-the-file", control="configuration-of-another-run", on="any")
def rank_read_off_the_file() -> dict[str, Any]:
    """The rank is written back into adapter_config.json."""
    return loaded(r=8, printed="rank-of-the-file")


@non_fix("ignore-sizes", control="configuration-of-another-run", on="any")
def sizes_ignored() -> dict[str, Any]:
    """No weight of the adapter is loaded."""
    return loaded(r=8, ignore=True)


if __name__ == "__main__":
    main(__file__)
