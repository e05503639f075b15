"""generate without attention_mask: padding is read as text, and the answers are others."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_tokens import answered, unpadded

from fixbook.recipe import detect, fix, main, non_fix

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = [
    "transformers==4.57.6",
    "huggingface_hub==0.36.0",
    "tokenizers==0.22.1",
    "datasets==4.8.4",
    *HTTP,
]
ONCE = "another transformers beside the main one, imported anew"


@detect(found=True)
def batch_without_mask() -> dict[str, Any]:
    """Two prompts, the shorter one padded on the left, and no mask."""
    return answered()


@detect(found=True, versions=LAST_4, record_once=ONCE)
def batch_without_mask_on_4() -> dict[str, Any]:
    """The same on the last release of 4."""
    return answered()


@detect(found=True)
def single_padded_right() -> dict[str, Any]:
    """One prompt, padded on the right to a fixed length, and no mask: no message."""
    return answered(single=True, side="right")


@detect(found=True)
def padded_right_with_mask() -> dict[str, Any]:
    """The same with its mask."""
    return answered(single=True, side="right", mask=True)


@detect(found=False, control="batch-without-mask")
def compared_after_the_fix() -> dict[str, Any]:
    """The comparison after the page's lines."""
    return answered(page=True)


@detect(found=False)
def unpadded_prompt() -> dict[str, Any]:
    """One prompt without padding."""
    return unpadded()


@detect(found=False, versions=LAST_4, record_once=ONCE)
def unpadded_prompt_on_4() -> dict[str, Any]:
    """The same on the last release of 4, which prints the message."""
    return unpadded()


@fix("mask", control="batch-without-mask")
def batch_with_mask() -> dict[str, Any]:
    """The page's lines."""
    return answered(page=True)


@fix("mask", control="single-padded-right")
def single_with_mask() -> dict[str, Any]:
    """The page's lines, for one prompt."""
    return answered(single=True, side="right", page=True)


@fix("mask", control="batch-without-mask-on-4", versions=LAST_4, record_once=ONCE)
def batch_with_mask_on_4() -> dict[str, Any]:
    """The page's lines on the last release of 4."""
    return answered(page=True)


@non_fix("pad-token-id", control="batch-without-mask")
def pad_token_id_given() -> dict[str, Any]:
    """pad_token_id, as is often advised."""
    return answered(pad=True)


@non_fix("older", control="batch-without-mask", versions=LAST_4, record_once=ONCE)
def older_transformers() -> dict[str, Any]:
    """An older transformers."""
    return answered()


if __name__ == "__main__":
    main(__file__)
