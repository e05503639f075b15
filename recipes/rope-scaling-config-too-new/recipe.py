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
from proof_rope import ask_of_usual_types, asked, compare, longrope, partial, proportional

from fixbook.recipe import detect, fix, main, non_fix, reproduce

CUT = {"rope_type": "llama3", "factor": 8.0}
BESIDE_4 = ["huggingface_hub==0.36.2", "tokenizers==0.19.1", "numpy==1.26.4"]
LAST_BAD = ["transformers==4.42.4", *BESIDE_4]
BUGGY = ["transformers==4.43.0", *BESIDE_4]
FIRST_GOOD = ["transformers==4.43.1", *BESIDE_4]
BESIDE_PHI4 = ["huggingface_hub==0.36.2", "tokenizers==0.21.4"]
BEFORE_PHI4 = ["transformers==4.48.3", *BESIDE_PHI4]
PHI4 = ["transformers==4.49.0", *BESIDE_PHI4]
HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", "tokenizers==0.22.1", *HTTP]
ONCE = "an older transformers beside the main one, imported anew"


@reproduce(versions=LAST_BAD, record_once=ONCE)
def llama3_on_4_42() -> dict[str, Any]:
    """Llama 3.1 names six fields, and this release wants two."""
    return compare(rope_scaling=LLAMA3)


@reproduce(versions=BUGGY, record_once=ONCE)
def llama3_on_4_43_0() -> dict[str, Any]:
    """It knows the fields, and asks for the old one as well."""
    return compare(rope_scaling=LLAMA3)


@reproduce(versions=LAST_BAD, record_once=ONCE)
def longrope_on_4_42() -> dict[str, Any]:
    """A type of a later release."""
    return longrope()


@reproduce(versions=LAST_BAD, record_once=ONCE)
def whole_factor_on_4_42() -> dict[str, Any]:
    """A factor without a decimal point."""
    return compare(rope_scaling={"type": "linear", "factor": 8})


@reproduce(versions=BEFORE_PHI4, record_once=ONCE)
def partial_on_4_48() -> dict[str, Any]:
    """Factors for three quarters of a head, where the release counts a whole one."""
    return partial()


@reproduce(versions=FIRST_5, record_once=ONCE)
def proportional_on_5_0() -> dict[str, Any]:
    """A type of 2026."""
    return proportional()


@reproduce()
def fields_left_out() -> dict[str, Any]:
    """Edited down to two fields, the config fails on a new release as well."""
    return compare(rope_scaling=CUT)


@detect(found=True, versions=LAST_BAD, record_once=ONCE)
def asked_on_4_42() -> dict[str, Any]:
    """The type is none of this release's."""
    return asked()


@detect(found=True, versions=BUGGY, record_once=ONCE)
def asked_on_4_43_0() -> dict[str, Any]:
    """The type is among this release's, and the old field is not there."""
    return asked()


@detect(found=False, control="asked-on-4-42", versions=FIRST_GOOD, record_once=ONCE)
def asked_on_4_43_1() -> dict[str, Any]:
    """The type is among this release's."""
    return asked()


@detect(found=False)
def asked_of_usual_types() -> dict[str, Any]:
    """mrope, su, yarn, no scaling, and a RoPE for each kind of layer."""
    return ask_of_usual_types()


@fix("newer-transformers", control="llama3-on-4-42", versions=FIRST_GOOD, record_once=ONCE)
def llama3_on_4_43_1() -> dict[str, Any]:
    """The first release that reads it."""
    return compare(rope_scaling=LLAMA3)


@fix("newer-transformers", control="partial-on-4-48", versions=PHI4, record_once=ONCE)
def partial_on_4_49() -> dict[str, Any]:
    """The first release that knows it."""
    return partial()


@fix("newer-transformers", control="llama3-on-4-42")
def llama3_today() -> dict[str, Any]:
    """Today's release reads it by the formula."""
    return compare(rope_scaling=LLAMA3)


@fix("newer-transformers", control="proportional-on-5-0")
def proportional_today() -> dict[str, Any]:
    """Today's release knows that type."""
    return proportional()


@fix("block-as-published", control="fields-left-out")
def all_fields() -> dict[str, Any]:
    """All of them, copied from the model as it was published."""
    return compare(rope_scaling=CUT, restored=True)


@non_fix("two-fields", control="llama3-on-4-42", versions=LAST_BAD, record_once=ONCE)
def two_fields() -> dict[str, Any]:
    """It loads, and all positions are eight times closer."""
    return compare(rope_scaling={"type": "linear", "factor": 8.0})


if __name__ == "__main__":
    main(__file__)
