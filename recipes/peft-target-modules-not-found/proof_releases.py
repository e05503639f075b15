"""Releases of PEFT and TRL that read a name in another way."""

from __future__ import annotations

from typing import Any

from failure import adapt, base
from proof_targets import put, reached

from fixbook.recipe import fix, measure, reproduce

OLD = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
TRL = ["trl==1.16.0"]
ONCE = "libraries beside the main ones, imported anew"


def with_trl(names: list[str]) -> dict[str, Any]:
    """Let TRL make the configuration, as its scripts do."""
    from trl import ModelConfig, get_peft_config

    lora = get_peft_config(ModelConfig(use_peft=True, lora_target_modules=names))
    measure(given=type(lora.target_modules).__name__)
    return reached(adapt(base(), lora))


@reproduce(versions=["peft==0.7.1", *OLD], record_once=ONCE)
def all_linear_on_0_7() -> dict[str, Any]:
    """The word is taken for a pattern."""
    return reached(put("all-linear"))


@fix("all-linear", control="all-linear-on-0-7", versions=["peft==0.8.2", *OLD], record_once=ONCE)
def all_linear_on_0_8() -> dict[str, Any]:
    """The word is known."""
    return reached(put("all-linear"))


@reproduce(versions=["peft==0.19.1"], record_once=ONCE)
def experts_on_0_19() -> dict[str, Any]:
    """The word is taken apart into its letters."""
    return reached(put("all-linear", experts=True))


@fix("all-linear", control="experts-on-0-19")
def experts_today() -> dict[str, Any]:
    """The release that the book pins."""
    return reached(put("all-linear", experts=True))


@reproduce(versions=TRL, record_once=ONCE)
def one_name_in_trl() -> dict[str, Any]:
    """A list of one name is handed on as a text."""
    return with_trl(["qkv_proj"])


@fix("write-it-right", control="one-name-in-trl", versions=TRL, record_once=ONCE)
def one_pattern_in_trl() -> dict[str, Any]:
    """The text is a pattern that fits."""
    return with_trl([".*qkv_proj"])
