"""Options that were arguments of SFTTrainer are fields of SFTConfig, some under other names."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0", "datasets==5.2.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import proof_prompts  # noqa: F401
import proof_releases  # noqa: F401
from proof_names import checked, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce

TRL = ["trl==1.16.0"]


@reproduce(versions=TRL)
def given_to_the_trainer() -> dict[str, Any]:
    """A script of 2024."""
    return run("trainer")


@fix("options-to-config", control="given-to-the-trainer", versions=TRL)
def given_to_the_config() -> dict[str, Any]:
    """The same options where they belong."""
    return run("config")


@fix("options-to-config", control="given-to-the-trainer", versions=TRL)
def as_printed() -> dict[str, Any]:
    """The page's code as it is printed."""
    return run("as-printed")


@reproduce(versions=TRL)
def old_length() -> dict[str, Any]:
    """A script of 2025."""
    return run(length="max_seq_length")


@fix("options-to-config", control="old-length", versions=TRL)
def new_length() -> dict[str, Any]:
    """Today's name."""
    return run(length="max_length")


@reproduce(versions=TRL)
def tokenizer_given() -> dict[str, Any]:
    """The tokenizer under its old name."""
    return run(tokenizer_as="tokenizer")


@fix("options-to-config", control="tokenizer-given", versions=TRL)
def processing_class_given() -> dict[str, Any]:
    """Under its new one."""
    return run(tokenizer_as="processing_class")


@non_fix("leave-them-out", control="given-to-the-trainer", versions=TRL)
def left_out() -> dict[str, Any]:
    """It trains, on rows of another length."""
    return run("nowhere")


@detect(found=True, versions=TRL)
def length_left_out() -> dict[str, Any]:
    """Where the column is called text, it trains, on rows of another length."""
    return checked("nowhere")


@detect(found=False, control="length-left-out", versions=TRL)
def length_set() -> dict[str, Any]:
    """The length in the configuration."""
    return checked("config")


if __name__ == "__main__":
    main(__file__)
