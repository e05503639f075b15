"""A mask that ends before the tokens do, and that transformers pads with zeros in silence."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import chat, learn, soft_prompt
from proof_mask import attempt, checked, harm, off_by, sound_masks, trained

from fixbook.recipe import detect, fix, main, reproduce

LIBRARIES = ["tokenizers==0.21.4", "huggingface_hub==0.36.0"]
LAST_LOUD = ["transformers==4.52.4", *LIBRARIES]
FIRST_SILENT = ["transformers==4.53.0", *LIBRARIES]
SILENT = ["transformers>=4.53"]  # before it no end of a mask was filled with zeros
ONCE = "an older transformers beside the main one, imported anew"


@detect(found=True, on="any", needs=SILENT)
def mask_of_the_turn() -> dict[str, Any]:
    """A mask of three tokens for eleven keys."""
    return off_by(chat)


@detect(found=True, on="any", needs=SILENT)
def mask_without_the_soft_prompt() -> dict[str, Any]:
    """A mask of the text alone, behind three vectors."""
    return off_by(soft_prompt)


@detect(found=True, on="any", needs=SILENT)
def mask_of_the_prompt() -> dict[str, Any]:
    """A mask made before the answer was appended."""
    return trained()


@reproduce(on="any", needs=SILENT)
def check_stops_the_chat() -> None:
    """The check ends it in the second turn."""
    chat(checked())


@reproduce(on="any", needs=SILENT)
def check_stops_the_training() -> None:
    """The check ends it before the first step."""
    learn(checked())


@fix("whole-mask", control="mask-of-the-turn", on="any", needs=SILENT)
def mask_of_both_turns() -> dict[str, Any]:
    """Eleven for eleven."""
    return off_by(chat, extended=True)


@fix("whole-mask", control="mask-without-the-soft-prompt", on="any", needs=SILENT)
def mask_with_the_soft_prompt() -> dict[str, Any]:
    """Three ones more."""
    return off_by(soft_prompt, extended=True)


@fix("whole-mask", control="mask-of-the-prompt", on="any", needs=SILENT)
def mask_with_the_answer() -> dict[str, Any]:
    """Made of prompt and answer together."""
    return trained(extended=True)


@detect(found=False, on="any")
def sound_masks_pass() -> dict[str, Any]:
    """Masks that are right, in five ways."""
    return sound_masks()


@detect(found=True, on="any", versions=FIRST_SILENT, record_once=ONCE)
def silent_on_4_53() -> dict[str, Any]:
    """The mask is padded on its right."""
    return attempt()


@detect(found=False, control="silent-on-4-53", on="any", versions=LAST_LOUD, record_once=ONCE)
def refused_on_4_52() -> dict[str, Any]:
    """The mask does not fit the scores of attention."""
    return attempt()


@detect(found=True, on="any", versions=FIRST_SILENT, record_once=ONCE)
def soft_prompt_on_4_53() -> dict[str, Any]:
    """The last three tokens are hidden."""
    return harm(soft_prompt)


@detect(found=False, control="soft-prompt-on-4-53", on="any", versions=LAST_LOUD, record_once=ONCE)
def soft_prompt_on_4_52() -> dict[str, Any]:
    """What the mask does not cover stays visible."""
    return harm(soft_prompt)


if __name__ == "__main__":
    main(__file__)
