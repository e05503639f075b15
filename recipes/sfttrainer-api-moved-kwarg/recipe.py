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

from proof_names import ask, checked, prefer, run
from proof_prompts import reinforce, sample

from fixbook.recipe import detect, fix, main, non_fix, reproduce

TRL = ["trl==1.16.0"]
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
TRL_0_10 = ["trl==0.10.1", *FIRST]
ONCE = "an older TRL, and the transformers that it asks for, imported anew"


@reproduce(on="any", versions=TRL)
def given_to_the_trainer() -> dict[str, Any]:
    """A script of 2024."""
    return run("trainer")


@fix("options-to-config", control="given-to-the-trainer", on="any", versions=TRL)
def given_to_the_config() -> dict[str, Any]:
    """The same options where they belong."""
    return run("config")


@fix("options-to-config", control="given-to-the-trainer", on="any", versions=TRL)
def as_printed() -> dict[str, Any]:
    """The page's code as it is printed."""
    return run("as-printed")


@reproduce(on="any", versions=TRL)
def old_length() -> dict[str, Any]:
    """A script of 2025."""
    return run(length="max_seq_length")


@fix("options-to-config", control="old-length", on="any", versions=TRL)
def new_length() -> dict[str, Any]:
    """Today's name."""
    return run(length="max_length")


@reproduce(on="any", versions=TRL)
def tokenizer_given() -> dict[str, Any]:
    """The tokenizer under its old name."""
    return run(tokenizer_as="tokenizer")


@fix("options-to-config", control="tokenizer-given", on="any", versions=TRL)
def processing_class_given() -> dict[str, Any]:
    """Under its new one."""
    return run(tokenizer_as="processing_class")


@reproduce(on="any", versions=TRL)
def arguments_of_transformers() -> dict[str, Any]:
    """A trainer that asks its arguments for an option of TRL."""
    return prefer(None)


@fix("options-to-config", control="arguments-of-transformers", on="any", versions=TRL)
def arguments_of_trl() -> dict[str, Any]:
    """TRL's configuration has it."""
    return prefer({"beta": 0.2})


@non_fix("leave-them-out", control="given-to-the-trainer", on="any", versions=TRL)
def left_out() -> dict[str, Any]:
    """It trains, on rows of another length."""
    return run("nowhere")


@detect(found=True, on="any", versions=TRL)
def length_left_out() -> dict[str, Any]:
    """Where the column is called text, it trains, on rows of another length."""
    return checked("nowhere")


@detect(found=False, control="length-left-out", on="any", versions=TRL)
def length_set() -> dict[str, Any]:
    """The length in the configuration."""
    return checked("config")


@reproduce(versions=TRL)
def prompt_length_given() -> dict[str, Any]:
    """A script for GRPO of 2025."""
    return reinforce("option")


@fix("drop-long-prompts", control="prompt-length-given", versions=TRL)
def long_prompts_dropped() -> dict[str, Any]:
    """The page's code in the place of the option."""
    return reinforce("page")


@reproduce(on="any", versions=["trl==0.13.0", *FIRST], record_once=ONCE)
def given_to_the_trainer_on_0_13() -> dict[str, Any]:
    """The first release that refuses a script of 2024."""
    return run("trainer", "max_seq_length")


@fix(
    "release-of-the-script",
    control="given-to-the-trainer-on-0-13",
    on="any",
    versions=["trl==0.12.2", *FIRST],
    record_once=ONCE,
)
def given_to_the_trainer_on_0_12() -> dict[str, Any]:
    """The last that takes it."""
    return run("trainer", "max_seq_length")


@reproduce(on="any", versions=["trl==0.15.2", *WITH_LIGER], record_once=ONCE)
def new_length_on_0_15() -> dict[str, Any]:
    """The other way round: today's name on a release that is too old for it."""
    return run(length="max_length")


@fix(
    "release-of-the-script",
    control="new-length-on-0-15",
    on="any",
    versions=["trl==0.16.0", *WITH_LIGER],
    record_once=ONCE,
)
def new_length_on_0_16() -> dict[str, Any]:
    """The first that knows it."""
    return run(length="max_length")


@reproduce(versions=["trl==0.15.2", *WITH_LIGER], record_once=ONCE)
def sampling_on_0_15() -> dict[str, Any]:
    """An option that came later, asked of the configuration where it belongs."""
    return sample()


@fix(
    "release-of-the-script",
    control="sampling-on-0-15",
    versions=["trl==0.16.0", *WITH_LIGER],
    record_once=ONCE,
)
def sampling_on_0_16() -> dict[str, Any]:
    """The first that has it."""
    return sample()


@reproduce(on="any", versions=TRL_0_10, record_once=ONCE)
def deleted_on_0_10() -> dict[str, Any]:
    """An older release does not guess the column."""
    return run("nowhere", "max_seq_length", "tokenizer")


@fix(
    "options-to-config",
    control="deleted-on-0-10",
    on="any",
    versions=TRL_0_10,
    record_once=ONCE,
)
def in_the_config_on_0_10() -> dict[str, Any]:
    """The configuration names it."""
    return run("config", "max_seq_length", "tokenizer")


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


@detect(found=True, versions=TRL, record_once=ONCE)
def asked_today() -> dict[str, Any]:
    """Today's."""
    return ask()


if __name__ == "__main__":
    main(__file__)
