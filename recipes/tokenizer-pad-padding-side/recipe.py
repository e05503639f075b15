"""A tokenizer that comes with a model does not take padding_side, which transformers passes."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_pad import asked, asked_of_the_library, one

from fixbook.recipe import detect, fix, main, reproduce

WITH = ["huggingface_hub==0.36.2", "numpy==1.26.4"]
ON_4_44 = ["transformers==4.44.2", "tokenizers==0.19.1", *WITH]
ON_4_45 = ["transformers==4.45.0", "tokenizers==0.20.0", *WITH]
ONCE = "another transformers, imported anew"


@reproduce()
def one_text() -> dict[str, Any]:
    """A single text, without padding."""
    return one()


@reproduce(versions=ON_4_45, record_once=ONCE)
def one_text_on_4_45() -> dict[str, Any]:
    """The first release that passes the argument."""
    return one()


@detect(found=True)
def asked_as_it_is() -> dict[str, Any]:
    """The file as it came with the model."""
    return asked()


@detect(found=False, control="asked-as-it-is")
def asked_when_mended() -> dict[str, Any]:
    """The file after the first fix."""
    return asked(mended=True)


@detect(found=False)
def asked_of_a_fast_one() -> dict[str, Any]:
    """A tokenizer of the library."""
    return asked_of_the_library()


@fix("mend-the-file", control="one-text")
def mended() -> dict[str, Any]:
    """_pad takes the argument."""
    return one(mended=True)


@fix("mend-the-file", control="one-text-on-4-45", versions=ON_4_45, record_once=ONCE)
def mended_on_4_45() -> dict[str, Any]:
    """The same on the first release."""
    return one(mended=True)


@fix("older-release", control="one-text-on-4-45", versions=ON_4_44, record_once=ONCE)
def one_text_on_4_44() -> dict[str, Any]:
    """The last release that does not pass it."""
    return one()


if __name__ == "__main__":
    main(__file__)
