"""A vision-language model whose text has more or fewer placeholders than images have features."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "pillow==13.0.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_images import (
    answered,
    asked,
    collated,
    forward,
    processed,
    text_alone,
    without_images,
)
from proof_sft import taught
from proof_trl import labels_left, trained

from fixbook.recipe import detect, fix, main, non_fix, reproduce

OLD = [
    "transformers==4.57.6",
    "huggingface_hub==0.36.0",
    "tokenizers==0.22.1",
    "httpx==0.28.1",
    "httpcore==1.0.9",
]
TRL = ["trl==1.16.0"]
ONCE = "another release, imported anew"


@reproduce(on="any")
def cut_after_processing() -> dict[str, Any]:
    """A trainer cuts the ids, and the image keeps all its features."""
    return forward(limit=10)


@reproduce()
def cut_by_the_processor() -> dict[str, Any]:
    """The processor is told to cut, and refuses: nothing comes to a device."""
    return forward(truncation=True, max_length=10)


@reproduce(on="any", versions=TRL, record_once=ONCE)
def trl_with_a_limit() -> dict[str, Any]:
    """The collator cuts ids, and leaves the pixels."""
    return trained(10)


@reproduce(on="any")
def placeholder_left_out() -> dict[str, Any]:
    """A text without a placeholder, and an image."""
    return asked(placeholder=False)


@reproduce(on="any", versions=OLD, record_once=ONCE)
def left_out_on_4_57() -> dict[str, Any]:
    """Its processor does not compare, so the model does."""
    return asked(placeholder=False)


@reproduce()
def images_left_out() -> dict[str, Any]:
    """Texts with placeholders, and no image."""
    return without_images()


@reproduce(on="any")
def placeholders_not_expanded() -> dict[str, Any]:
    """The tokenizer alone expands nothing."""
    return processed(together=False)


@reproduce()
def placeholder_sampled() -> dict[str, Any]:
    """An answer of the model holds a placeholder."""
    return answered()


@reproduce()
def placeholder_in_an_answer() -> dict[str, Any]:
    """An answer of the data holds a placeholder, and no image goes with it."""
    return taught()


@detect(found=True)
def finds_a_cut_image() -> dict[str, Any]:
    """An image has lost placeholders."""
    return collated(10)


@detect(found=False, control="finds-a-cut-image")
def accepts_whole_images() -> dict[str, Any]:
    """All of them are there."""
    return collated()


@detect(found=False)
def accepts_text_alone() -> dict[str, Any]:
    """A batch without images has nothing to lose."""
    return text_alone()


@detect(found=True, versions=TRL, record_once=ONCE)
def finds_a_cut_answer() -> dict[str, Any]:
    """The limit falls behind the image and before the answer."""
    return labels_left(20)


@fix("longer-limit", control="cut-after-processing", on="any")
def longer_limit() -> dict[str, Any]:
    """The limit is above the longest row."""
    return forward(limit=64)


@fix("longer-limit", control="cut-by-the-processor", on="any")
def longer_limit_in_the_processor() -> dict[str, Any]:
    """The same for the processor."""
    return forward(truncation=True, max_length=64)


@fix("longer-limit", control="trl-with-a-limit", on="any", versions=TRL, record_once=ONCE)
def trl_without_a_limit() -> dict[str, Any]:
    """Nothing is cut."""
    return trained(None)


@fix("smaller-images", control="cut-after-processing", on="any")
def smaller_images() -> dict[str, Any]:
    """The same limit, and images of fewer pixels."""
    return forward(256, limit=10)


@fix("chat-template", control="placeholder-left-out", on="any")
def written_by_the_template() -> dict[str, Any]:
    """The template writes the placeholder."""
    return asked(placeholder=True)


@fix("expand", control="placeholders-not-expanded", on="any")
def expanded_by_the_processor() -> dict[str, Any]:
    """The processor gets both."""
    return processed(together=True)


@fix("suppress", control="placeholder-sampled")
def placeholder_suppressed() -> dict[str, Any]:
    """The model may not write it."""
    return answered(suppress=True)


@fix("clean", control="placeholder-in-an-answer")
def answer_cleaned() -> dict[str, Any]:
    """The page's lines take it out."""
    return taught(clean=True)


@non_fix("no-check", control="cut-after-processing", on="any")
def check_taken_out() -> dict[str, Any]:
    """The positions of the image do not fit either."""
    return forward(limit=10, check=False)


@non_fix("align", control="placeholder-sampled")
def features_aligned() -> dict[str, Any]:
    """The answer takes the first feature of the next row's image."""
    return answered(align=True)


if __name__ == "__main__":
    main(__file__)
