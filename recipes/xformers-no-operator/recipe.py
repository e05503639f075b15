"""No kernel of xformers takes the inputs; torch's own attention does, in another layout."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_attention import attended, by_torch, not_loaded, picked, reasons, three_dimensions

from fixbook.recipe import detect, fix, main, non_fix, reproduce

XFORMERS = ["xformers==0.0.35"]
OLDER = ["xformers==0.0.29.post3"]
ONCE = "a wheel of xformers, imported anew"


@reproduce(versions=XFORMERS, record_once=ONCE)
def float32_on_a_cpu() -> dict[str, Any]:
    """Every kernel refuses."""
    return attended()


@reproduce(versions=XFORMERS, record_once=ONCE)
def program_with_it() -> dict[str, Any]:
    """A program that takes xformers because it is there."""
    return picked()


@fix("uninstall", control="program-with-it")
def program_without_it() -> dict[str, Any]:
    """The same program where it is not."""
    return picked()


@reproduce(versions=OLDER, record_once="a wheel of 43 MB")
def older_release() -> dict[str, Any]:
    """A release that was built for an older torch."""
    return attended()


@detect(found=True, versions=XFORMERS, record_once=ONCE)
def reasons_float32() -> dict[str, Any]:
    """Why each kernel refuses."""
    return reasons()


@detect(found=True, versions=XFORMERS, record_once=ONCE)
def reasons_float16() -> dict[str, Any]:
    """The same for float16: one reason less, and two are left."""
    return reasons(half=True)


@detect(found=True, versions=XFORMERS, record_once=ONCE)
def library_not_loaded() -> dict[str, Any]:
    """The library needs CUDA's, which a torch for CPUs does not bring."""
    return not_loaded()


@fix("sdpa", control="float32-on-a-cpu", versions=XFORMERS, record_once=ONCE)
def by_torch_transposed() -> dict[str, Any]:
    """The page's lines."""
    return attended(by="sdpa")


@fix("sdpa", control="float32-on-a-cpu", versions=XFORMERS, record_once=ONCE)
def by_torch_causal() -> dict[str, Any]:
    """The same where xformers had LowerTriangularMask: what follows changes nothing before."""
    return attended(by="causal")


@fix("sdpa", control="float32-on-a-cpu", versions=XFORMERS, record_once=ONCE)
def three_dimensions_as_they_are() -> dict[str, Any]:
    """Tensors without a dimension for heads."""
    return attended(by="flat")


@detect(found=True, versions=XFORMERS, record_once=ONCE)
def three_dimensions_transposed() -> dict[str, Any]:
    """The same, transposed as if the second dimension were tokens and the third heads."""
    return three_dimensions(page=False)


@detect(found=False, control="three-dimensions-transposed", versions=XFORMERS, record_once=ONCE)
def three_dimensions_checked() -> dict[str, Any]:
    """The check on the page's line."""
    return three_dimensions()


@detect(found=True, versions=XFORMERS, record_once=ONCE)
def by_torch_as_it_is() -> dict[str, Any]:
    """The name exchanged, and the tensors left as they are."""
    return by_torch()


@detect(found=False, control="by-torch-as-it-is", versions=XFORMERS, record_once=ONCE)
def checked_after_the_fix() -> dict[str, Any]:
    """The same check on the page's lines."""
    return by_torch(page=True)


@non_fix("upgrade-alone", control="older-release", versions=XFORMERS, record_once=ONCE)
def newest_release() -> dict[str, Any]:
    """The newest xformers beside the same torch."""
    return attended()


@non_fix("half", control="float32-on-a-cpu", versions=XFORMERS, record_once=ONCE)
def float16_on_a_cpu() -> dict[str, Any]:
    """The dtype that the message asks for."""
    return attended(half=True)


if __name__ == "__main__":
    main(__file__)
