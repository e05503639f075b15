"""A model in training writes other words while gradient checkpointing is on: the cache is lost."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_words import sampled, written

from fixbook.recipe import detect, fix, main, non_fix

LAST_GOOD = ["transformers==4.52.4", "tokenizers==0.21.1", "huggingface_hub==0.30.2"]
FIRST_BAD = ["transformers==4.53.0", "tokenizers==0.21.1", "huggingface_hub==0.30.2"]
LAST_4 = ["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"]
FIXED = ["transformers==5.24.0"]
LOSES = ["transformers>=4.53"]  # earlier releases keep the cache
ONCE = "another transformers beside the main one, imported anew"


@detect(found=True, on="any", needs=LOSES)
def own_loop() -> dict[str, Any]:
    """Generate between two steps of a loop of one's own."""
    return written()


@detect(found=True, on="any", needs=LOSES)
def in_a_callback() -> dict[str, Any]:
    """Generate in a callback after a step of the Trainer."""
    return sampled()


@detect(found=False, control="in-a-callback", on="any", needs=LOSES)
def after_an_evaluation() -> dict[str, Any]:
    """Generate in a callback after an evaluation, which leaves the model in eval mode."""
    return sampled(when="on_evaluate")


@detect(found=True, on="any", needs=LOSES)
def gpt2() -> dict[str, Any]:
    """The same loop with GPT-2."""
    return written("gpt2")


@detect(found=True, on="any", needs=LOSES)
def t5() -> dict[str, Any]:
    """The same loop with an encoder and a decoder."""
    return written("t5")


@detect(found=True, on="any", needs=LOSES)
def other_kind() -> dict[str, Any]:
    """The other kind of checkpointing."""
    return written(reentrant=True)


@detect(found=True, on="any", versions=FIRST_BAD, record_once=ONCE)
def on_4_53() -> dict[str, Any]:
    """The first release that loses the cache."""
    return written()


@detect(found=True, on="any", versions=LAST_4, record_once=ONCE)
def on_4_57() -> dict[str, Any]:
    """The last release of 4."""
    return written()


@detect(found=False, control="on-4-53", on="any", versions=LAST_GOOD, record_once=ONCE)
def on_4_52() -> dict[str, Any]:
    """The release before."""
    return written()


@fix("eval-mode", control="own-loop", on="any", needs=LOSES)
def eval_in_a_loop() -> dict[str, Any]:
    """The page's lines."""
    return written(page="eval-mode")


@fix("eval-mode", control="in-a-callback", on="any", needs=LOSES)
def eval_in_a_callback() -> dict[str, Any]:
    """The page's lines, in the callback."""
    return sampled("eval-mode")


@fix("eval-mode", control="gpt2", on="any", needs=LOSES)
def eval_for_gpt2() -> dict[str, Any]:
    """The page's lines."""
    return written("gpt2", "eval-mode")


@fix("eval-mode", control="t5", on="any", needs=LOSES)
def eval_for_t5() -> dict[str, Any]:
    """The page's lines."""
    return written("t5", "eval-mode")


@fix("no-cache", control="own-loop", on="any", needs=LOSES)
def without_a_cache() -> dict[str, Any]:
    """The page's line; the mode stays."""
    return written(page="no-cache")


@fix("off", control="own-loop", on="any", needs=LOSES)
def checkpointing_off() -> dict[str, Any]:
    """The page's lines; the mode stays."""
    return written(page="off")


@fix("upgrade", control="own-loop", on="any", versions=FIXED, record_once=ONCE)
def on_5_24() -> dict[str, Any]:
    """The first release that keeps the cache again."""
    return written()


@detect(found=True, on="any", versions=FIXED, record_once=ONCE)
def gpt2_on_5_24() -> dict[str, Any]:
    """GPT-2 drops the cache by a line of its own."""
    return written("gpt2")


@detect(found=True, on="any")
def dropout_left_on() -> dict[str, Any]:
    """Checkpointing is off while it writes, and dropout is on."""
    return written(page="off", dropout=0.5)


@detect(found=False, control="dropout-left-on", on="any")
def dropout_at_rest() -> dict[str, Any]:
    """The same model in eval mode."""
    return written(page="eval-mode", dropout=0.5)


@non_fix("config", control="own-loop", on="any", needs=LOSES)
def config_without_cache() -> dict[str, Any]:
    """The line that most scripts have beside checkpointing."""
    return written(config=True)


if __name__ == "__main__":
    main(__file__)
