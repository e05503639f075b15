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

from proof_images import answered, asked, forward, without_images

from fixbook.recipe import fix, main, non_fix, reproduce


@reproduce()
def cut_after_processing() -> dict[str, Any]:
    """A trainer cuts the ids, and the image keeps all its features."""
    return forward(limit=10)


@reproduce()
def cut_by_the_processor() -> dict[str, Any]:
    """The processor is told to cut, and refuses."""
    return forward(truncation=True, max_length=10)


@reproduce()
def placeholder_left_out() -> dict[str, Any]:
    """A text without a placeholder, and an image."""
    return asked(placeholder=False)


@reproduce()
def images_left_out() -> dict[str, Any]:
    """Texts with placeholders, and no image."""
    return without_images()


@reproduce()
def placeholder_sampled() -> dict[str, Any]:
    """An answer of the model holds a placeholder."""
    return answered()


@fix("longer-limit", control="cut-after-processing")
def longer_limit() -> dict[str, Any]:
    """The limit is above the longest row."""
    return forward(limit=64)


@fix("longer-limit", control="cut-by-the-processor")
def longer_limit_in_the_processor() -> dict[str, Any]:
    """The same for the processor."""
    return forward(truncation=True, max_length=64)


@fix("smaller-images", control="cut-after-processing")
def smaller_images() -> dict[str, Any]:
    """The same limit, and images of fewer pixels."""
    return forward(256, limit=10)


@fix("chat-template", control="placeholder-left-out")
def written_by_the_template() -> dict[str, Any]:
    """The template writes the placeholder."""
    return asked(placeholder=True)


@fix("suppress", control="placeholder-sampled")
def placeholder_suppressed() -> dict[str, Any]:
    """The model may not write it."""
    return answered(suppress=True)


@non_fix("no-check", control="cut-after-processing")
def check_taken_out() -> dict[str, Any]:
    """The positions of the image do not fit either."""
    return forward(limit=10, check=False)


@non_fix("align", control="placeholder-sampled")
def features_aligned() -> dict[str, Any]:
    """The answer takes the first feature of the next row's image."""
    return answered(align=True)


if __name__ == "__main__":
    main(__file__)
