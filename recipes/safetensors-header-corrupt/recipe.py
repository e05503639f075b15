"""A file that is no safetensors file, or not all of one."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "safetensors==0.8.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import safetensors
from failure import load

from fixbook.recipe import fix, main, measure, non_fix, reproduce

OLD = ["safetensors==0.4.3"]


def attempt(state: str) -> dict[str, Any]:
    """Load the file, and count what came."""
    measure(version=safetensors.__version__)
    return {"sum": sum(float(tensor.sum()) for tensor in load(state).values())}


@reproduce()
def pointer() -> dict[str, Any]:
    """What a clone leaves without Git LFS."""
    return attempt("pointer")


@fix("fetch-again", control="pointer")
def fetched() -> dict[str, Any]:
    """The file itself."""
    return attempt("whole")


@non_fix("another-release", control="pointer", versions=OLD)
def pointer_on_0_4_3() -> dict[str, Any]:
    """The words of that release, for the same file."""
    return attempt("pointer")


@reproduce()
def page() -> dict[str, Any]:
    """What is saved from the address of a page."""
    return attempt("page")


@reproduce()
def last_byte_missing() -> dict[str, Any]:
    """A download that ended one byte early."""
    return attempt("last byte missing")


@fix("fetch-again", control="last-byte-missing")
def fetched_to_the_end() -> dict[str, Any]:
    """With its last byte."""
    return attempt("whole")


@reproduce(versions=OLD)
def last_byte_missing_on_0_4_3() -> dict[str, Any]:
    """The same in the words of 2024."""
    return attempt("last byte missing")


@reproduce()
def cut_in_the_header() -> dict[str, Any]:
    """A download that hardly began."""
    return attempt("cut in the header")


@reproduce()
def empty() -> dict[str, Any]:
    """A download that did not begin."""
    return attempt("empty")


@reproduce()
def by_torch() -> dict[str, Any]:
    """A format of its own, under the name of the other."""
    return attempt("by torch")


@reproduce()
def all_zeros() -> dict[str, Any]:
    """A size that was reserved, and nothing written."""
    return attempt("all zeros")


@reproduce(versions=OLD)
def all_zeros_on_0_4_3() -> dict[str, Any]:
    """The same in the words of 2024."""
    return attempt("all zeros")


if __name__ == "__main__":
    main(__file__)
