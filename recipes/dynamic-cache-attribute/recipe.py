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

from proof_cache import asked, asked_of, checked, run

from fixbook.recipe import detect, fix, main, reproduce


@reproduce()
def old_code_today() -> dict[str, Any]:
    """The file beside the weights is of 2024."""
    return run()


@fix("built-in-class", control="old-code-today")
def built_in_class() -> dict[str, Any]:
    """Transformers has the model."""
    return run(trust=False)


@fix("update-the-code", control="old-code-today")
def updated_today() -> dict[str, Any]:
    """The page's changes to the model's file."""
    return run(updated=True)


@detect(found=True)
def asked_today() -> dict[str, Any]:
    """get_max_length is back, and get_max_cache_shape is gone."""
    return asked()


@detect(found=True)
def asked_of_the_old_code() -> dict[str, Any]:
    """The file beside the weights."""
    return asked_of(trust=True)


@detect(found=False, control="asked-of-the-old-code")
def asked_of_the_built_in_class() -> dict[str, Any]:
    """The file of transformers."""
    return asked_of(trust=False)


@detect(found=True)
def length_alone_today() -> dict[str, Any]:
    """With the length mended, nothing raises, and -1 is taken for a limit."""
    return checked(updated=False)


@detect(found=False, control="length-alone-today")
def updated_agrees_today() -> dict[str, Any]:
    """No limit, as the code meant it."""
    return checked(updated=True)


if __name__ == "__main__":
    main(__file__)
