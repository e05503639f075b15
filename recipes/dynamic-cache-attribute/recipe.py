"""Code that came with a model asks the cache for what transformers has removed."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_cache import SHAPE, asked, asked_of, checked, run
from proof_replaced import same_length, same_tensors

from fixbook.recipe import detect, fix, main, non_fix, reproduce

BESIDE = ["huggingface_hub==0.36.2", "tokenizers==0.21.4"]
LATE = ["huggingface_hub==0.36.2", "tokenizers==0.22.1"]
HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
V4_48 = ["transformers==4.48.3", *BESIDE]
V4_49 = ["transformers==4.49.0", *BESIDE]
V4_53 = ["transformers==4.53.3", *BESIDE]
V4_54 = ["transformers==4.54.0", *BESIDE]
V4_55 = ["transformers==4.55.4", *BESIDE]
V4_56 = ["transformers==4.56.0", *LATE]
V4_57 = ["transformers==4.57.6", *LATE]
V5_0 = ["transformers==5.0.0", "tokenizers==0.22.1", "huggingface_hub==1.17.0", *HTTP]
ONCE = "an older transformers beside the main one, imported anew"


@reproduce()
def old_code_today() -> dict[str, Any]:
    """The file beside the weights is of 2024."""
    return run()


@reproduce(versions=V4_49, record_once=ONCE)
def old_code_on_4_49() -> dict[str, Any]:
    """The first release without get_max_length."""
    return run()


@reproduce(versions=V4_54, record_once=ONCE)
def old_code_on_4_54() -> dict[str, Any]:
    """The first release without seen_tokens."""
    return run()


@detect(found=True)
def asked_of_the_old_code() -> dict[str, Any]:
    """The file beside the weights."""
    return asked_of()


@detect(found=False, control="asked-of-the-old-code")
def asked_of_the_built_in_class() -> dict[str, Any]:
    """The file of transformers."""
    return asked_of(built_in=True)


@detect(found=True)
def asked_today() -> dict[str, Any]:
    """get_max_length is back, and get_max_cache_shape is gone."""
    return asked()


@fix("built-in-class", control="old-code-today")
def built_in_class() -> dict[str, Any]:
    """Transformers has the model."""
    return run(built_in=True)


@fix("update-the-code", control="old-code-today")
def updated_today() -> dict[str, Any]:
    """The page's changes to the model's file."""
    return run(updated=True)


@fix("update-the-code", control="old-code-on-4-54", versions=V4_54, record_once=ONCE)
def updated_on_4_54() -> dict[str, Any]:
    """The page's changes to the model's file."""
    return run(updated=True)


@fix("names-back", control="old-code-today")
def names_given_back() -> dict[str, Any]:
    """The cache has the names again, and the file stays."""
    return run(names=True)


@fix("names-back", control="old-code-on-4-54", versions=V4_54, record_once=ONCE)
def names_given_back_on_4_54() -> dict[str, Any]:
    """The same on the first release without seen_tokens."""
    return run(names=True)


@fix("no-cache", control="old-code-today")
def without_cache_today() -> dict[str, Any]:
    """The old code asks nothing of a cache that is not there."""
    return run(cached=False)


@fix("older-transformers", control="old-code-on-4-49", versions=V4_48, record_once=ONCE)
def old_code_on_4_48() -> dict[str, Any]:
    """The last one with all that the code asks for."""
    return run()


@non_fix("max-cache-shape", control="old-code-on-4-54", versions=V4_54, record_once=ONCE)
def cache_shape_on_4_54() -> dict[str, Any]:
    """The new name says -1 where the old one said None."""
    return run(SHAPE)


@detect(found=True)
def length_alone_today() -> dict[str, Any]:
    """With the length mended, nothing raises, and -1 is taken for a limit."""
    return checked(updated=False)


@detect(found=False, control="length-alone-today")
def updated_agrees_today() -> dict[str, Any]:
    """No limit, as the code meant it."""
    return checked(updated=True)


@detect(found=False, control="asked-on-4-49", versions=V4_48, record_once=ONCE)
def asked_on_4_48() -> dict[str, Any]:
    """Nothing is absent."""
    return asked()


@detect(found=True, versions=V4_49, record_once=ONCE)
def asked_on_4_49() -> dict[str, Any]:
    """get_max_length went first."""
    return asked()


@detect(found=True, versions=V4_53, record_once=ONCE)
def asked_on_4_53() -> dict[str, Any]:
    """No other yet; what replaces get_usable_length is there beside it."""
    return {**asked(), "same": same_length()}


@detect(found=True, versions=V4_54, record_once=ONCE)
def asked_on_4_54() -> dict[str, Any]:
    """Then the lengths."""
    return asked()


@detect(found=True, versions=V4_55, record_once=ONCE)
def asked_on_4_55() -> dict[str, Any]:
    """The lists of tensors are still there, beside the layers that replace them."""
    return {**asked(), "same": same_tensors()}


@detect(found=True, versions=V4_56, record_once=ONCE)
def asked_on_4_56() -> dict[str, Any]:
    """Then they went."""
    return asked()


@detect(found=True, versions=V4_57, record_once=ONCE)
def asked_on_4_57() -> dict[str, Any]:
    """Tuples still go in and out."""
    return asked()


@detect(found=True, versions=V5_0, record_once=ONCE)
def asked_on_5_0() -> dict[str, Any]:
    """Then they went, and the index with them."""
    return asked()


if __name__ == "__main__":
    main(__file__)
