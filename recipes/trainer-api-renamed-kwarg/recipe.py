"""An argument of TrainingArguments or Trainer that the installed transformers calls otherwise."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from pathlib import Path
from typing import Any

from failure import arguments, from_flags, trainer
from proof_names import checked, train

from fixbook.recipe import detect, fix, main, reproduce
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer


def from_command(flag: str) -> dict[str, Any]:
    """Give the strategy as this flag, and see what has become of it."""
    return {"strategy": from_flags(flag, "steps")[0].eval_strategy.value}


def with_tokenizer(name: str) -> dict[str, Any]:
    """Train for one step with a tokenizer of this name, and look for it in what is saved."""
    made = trainer(tiny_llama(), arguments(max_steps=1), **{name: tiny_tokenizer()})
    made.train()
    made.save_model("saved")
    return {"saved": Path("saved", "tokenizer.json").is_file()}


@reproduce()
def old_name() -> dict[str, Any]:
    """A name that was dropped."""
    return train("evaluation_strategy")


@fix("new-names", control="old-name")
def new_name() -> dict[str, Any]:
    """The same value under today's name."""
    return train("eval_strategy")


@reproduce()
def old_flag() -> dict[str, Any]:
    """The same as a flag of a command."""
    return from_command("--evaluation_strategy")


@fix("new-names", control="old-flag")
def new_flag() -> dict[str, Any]:
    """Today's name as a flag."""
    return from_command("--eval_strategy")


@reproduce()
def tokenizer_given() -> dict[str, Any]:
    """The Trainer's argument of old."""
    return with_tokenizer("tokenizer")


@fix("new-names", control="tokenizer-given")
def processing_class_given() -> dict[str, Any]:
    """Today's, and the tokenizer is saved with the model."""
    return with_tokenizer("processing_class")


@detect(found=True)
def argument_left_out() -> dict[str, Any]:
    """The argument deleted: nothing is raised, and nothing evaluated."""
    return checked()


@detect(found=False, control="argument-left-out")
def argument_renamed() -> dict[str, Any]:
    """Under today's name."""
    return checked("eval_strategy")


if __name__ == "__main__":
    main(__file__)
