"""A DeepSpeed file and TrainingArguments that disagree: the Trainer compares what both say."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0",
#     "deepspeed==0.19.8",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_runs import adam, look, run

from fixbook.recipe import detect, fix, main, reproduce


@reproduce()
def differs() -> Any:
    """4 in the file, 8 in the arguments."""
    return run(gradient_accumulation_steps=4)


@reproduce()
def quoted() -> Any:
    """The text "1.0" in the file, the number 1.0 in the arguments."""
    return run(gradient_clipping="1.0")


@reproduce()
def quoted_steps() -> Any:
    """The text "8" as accumulation: accelerate divides by it before anything is compared."""
    return run(gradient_accumulation_steps="8")


@reproduce()
def rate_differs() -> Any:
    """Another learning rate in the file."""
    return run(optimizer=adam(lr=1e-4))


@detect(found=True)
def quoted_listed() -> Any:
    """The list shows equal numbers, the value its quotes."""
    return look(gradient_clipping="1.0")


@detect(found=False, control="quoted-listed")
def number_listed() -> Any:
    """Nothing to list."""
    return look(gradient_clipping=1.0)


@detect(found=True)
def rate_listed() -> Any:
    """Two learning rates."""
    return look(optimizer=adam(lr=1e-4))


@detect(found=False, control="rate-listed")
def rate_deleted() -> Any:
    """Nothing is listed where the rate was deleted, and another one is used."""
    return look(optimizer=adam())


@detect(found=False)
def auto_listed() -> Any:
    """The recommended fix: nothing to list."""
    return look(gradient_accumulation_steps="auto")


@fix("auto", control="differs")
def auto() -> Any:
    """The Trainer writes its own number into the file."""
    return run(gradient_accumulation_steps="auto")


@fix("auto", control="quoted")
def auto_instead_of_quotes() -> Any:
    """Of all texts, "auto" is the one that is meant."""
    return run(gradient_clipping="auto")


@fix("auto", control="rate-differs")
def rate_auto() -> Any:
    """The rate of the arguments is used."""
    return run(optimizer=adam(lr="auto"))


@fix("same", control="differs")
def same_number() -> Any:
    """8 in both places."""
    return run(gradient_accumulation_steps=8)


@fix("same", control="quoted")
def unquoted() -> Any:
    """The number without its quotes."""
    return run(gradient_clipping=1.0)


@fix("same", control="quoted-steps")
def unquoted_steps() -> Any:
    """8 without its quotes."""
    return run(gradient_accumulation_steps=8)


if __name__ == "__main__":
    main(__file__)
