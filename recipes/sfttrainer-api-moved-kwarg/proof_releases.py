"""What each release of TRL does with the names, one release a step, and both sides of a change."""

from __future__ import annotations

from typing import Any

from proof_names import ask, run

from fixbook.recipe import detect, fix, reproduce

COMMON = ["datasets==4.8.4", "httpx==0.28.1", "httpcore==1.0.9", "liger-kernel==0.5.2"]
FIRST = ["transformers==4.46.3", "huggingface_hub==0.36.2", "tokenizers==0.20.3", *COMMON]
LATER = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1", *COMMON]
# TRL 0.15 imports Liger, which has to suit transformers 4.57.
WITH_LIGER = [
    "transformers==4.57.6",
    "huggingface_hub==0.36.0",
    "tokenizers==0.22.1",
    "datasets==4.8.4",
    "httpx==0.28.1",
    "httpcore==1.0.9",
    "liger-kernel==0.6.4",
]
TODAY = ["trl==1.16.0"]
ONCE = "an older TRL, and the transformers that it asks for, imported anew"


@detect(found=False, versions=["trl==0.12.2", *FIRST], record_once=ONCE)
def asked_0_12() -> dict[str, Any]:
    """The last release whose trainers take the options themselves."""
    return ask()


@detect(found=True, versions=["trl==0.13.0", *FIRST], record_once=ONCE)
def asked_0_13() -> dict[str, Any]:
    """The first whose trainers do not."""
    return ask()


@detect(found=True, versions=["trl==0.15.2", *WITH_LIGER], record_once=ONCE)
def asked_0_15() -> dict[str, Any]:
    """The last whose trainers take tokenizer, and without max_length."""
    return ask()


@detect(found=True, versions=["trl==0.16.0", *LATER], record_once=ONCE)
def asked_0_16() -> dict[str, Any]:
    """The first with max_length."""
    return ask()


@detect(found=True, versions=["trl==0.19.1", *LATER], record_once=ONCE)
def asked_0_19() -> dict[str, Any]:
    """The last with max_seq_length."""
    return ask()


@detect(found=True, versions=["trl==0.20.0", *LATER], record_once=ONCE)
def asked_0_20() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=True, versions=["trl==0.28.0", *LATER], record_once=ONCE)
def asked_0_28() -> dict[str, Any]:
    """The last DPOConfig with max_prompt_length."""
    return ask()


@detect(found=True, versions=["trl==0.29.0", *LATER], record_once=ONCE)
def asked_0_29() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=True, versions=TODAY, record_once=ONCE)
def asked_today() -> dict[str, Any]:
    """Today's."""
    return ask()


@reproduce(versions=["trl==0.13.0", *FIRST], record_once=ONCE)
def given_to_the_trainer_on_0_13() -> dict[str, Any]:
    """The first release that refuses a script of 2024."""
    return run("trainer", "max_seq_length")


@fix(
    "release-of-the-script",
    control="given-to-the-trainer-on-0-13",
    versions=["trl==0.12.2", *FIRST],
    record_once=ONCE,
)
def given_to_the_trainer_on_0_12() -> dict[str, Any]:
    """The last that takes it."""
    return run("trainer", "max_seq_length")


@reproduce(versions=["trl==0.15.2", *WITH_LIGER], record_once=ONCE)
def new_length_on_0_15() -> dict[str, Any]:
    """The other way round: today's name on a release that is too old for it."""
    return run(length="max_length")


@fix(
    "release-of-the-script",
    control="new-length-on-0-15",
    versions=["trl==0.16.0", *WITH_LIGER],
    record_once=ONCE,
)
def new_length_on_0_16() -> dict[str, Any]:
    """The first that knows it."""
    return run(length="max_length")
