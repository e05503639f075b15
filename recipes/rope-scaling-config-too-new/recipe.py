"""A config.json with a RoPE that the installed transformers is too old for."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import LLAMA3
from proof_rope import asked, compare, proportional, yarn

from fixbook.recipe import detect, fix, main, reproduce


@reproduce()
def fields_left_out() -> dict[str, Any]:
    """Edited down to two fields, the config fails on a new release as well."""
    return compare(rope_scaling={"rope_type": "llama3", "factor": 8.0})


@fix("block-as-published", control="fields-left-out")
def all_fields() -> dict[str, Any]:
    """All of them, as the model's authors wrote them."""
    return compare(rope_scaling=LLAMA3)


@fix("newer-transformers", control="llama3-on-4-42")
def llama3_today() -> dict[str, Any]:
    """Today's release reads it by the formula."""
    return compare(rope_scaling=LLAMA3)


@fix("newer-transformers", control="proportional-on-5-0")
def proportional_today() -> dict[str, Any]:
    """Today's release knows that type."""
    return proportional()


@detect(found=False)
def asked_today() -> dict[str, Any]:
    """The type is among today's."""
    return asked()


@detect(found=False)
def yarn_today() -> dict[str, Any]:
    """Qwen2 reads it."""
    return yarn()


if __name__ == "__main__":
    main(__file__)
