"""RWKV-4 in transformers: backward has room for one sample, the kernel writes a row per sample."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_run import one_step, sanitized

from fixbook.recipe import detect, fix, main, non_fix, reproduce

GXX = ["g++"]
# The last release that ships the kernel's source; since 5.0 it comes from the Hub.
SHIPPED = ["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"]


@reproduce(versions=SHIPPED, programs=GXX, timeout_s=240)
def writes_past_the_buffer() -> None:
    """Two samples: the kernel that transformers ships writes past what transformers allocates."""
    sanitized()


@fix(
    "allocate-per-sample",
    control="writes-past-the-buffer",
    versions=SHIPPED,
    programs=GXX,
    timeout_s=240,
)
def writes_inside() -> None:
    """The same with the published patch."""
    sanitized(apply="allocate-per-sample")


@detect(found=True, versions=SHIPPED, programs=GXX)
def two_samples() -> dict[str, Any]:
    """Where nothing crashes: bytes written past the buffers, and the errors of the gradients."""
    return one_step()


@fix("allocate-per-sample", control="two-samples", versions=SHIPPED, programs=GXX)
def a_row_per_sample() -> dict[str, Any]:
    """The published patch: nothing past the buffers, all gradients those of the formula."""
    return one_step(apply="allocate-per-sample")


@fix("allocate-per-sample", control="two-samples", versions=SHIPPED, programs=GXX)
def a_row_per_sample_in_bfloat16() -> dict[str, Any]:
    """The published patch in the precision of the reports."""
    return one_step(dtype="bfloat16", apply="allocate-per-sample")


@fix("batch-size-one", control="two-samples", versions=SHIPPED, programs=GXX)
def one_sample_at_a_time() -> dict[str, Any]:
    """The same two samples in two accumulated backward passes."""
    return one_step(micro_batch=1)


@fix("pure-torch-path", control="two-samples", versions=SHIPPED, programs=GXX)
def without_the_kernel() -> dict[str, Any]:
    """The kernel is there, and switched off as the page says."""
    return one_step(apply="pure-torch-path")


@detect(found=True, versions=SHIPPED, programs=GXX)
def one_image_in_tiles() -> dict[str, Any]:
    """One image per device, cut into two tiles: the projector's batch is two."""
    return one_step(samples=1, tiles=2)


@detect(found=False, control="one-image-in-tiles", versions=SHIPPED, programs=GXX)
def one_image_whole() -> dict[str, Any]:
    """One image per device, not cut."""
    return one_step(samples=1)


@non_fix("change-the-precision", control="two-samples", versions=SHIPPED, programs=GXX)
def in_bfloat16() -> dict[str, Any]:
    """The kernel's bf16 functions write as far past half the size."""
    return one_step(dtype="bfloat16")


@non_fix("freeze-the-llm", control="two-samples", versions=SHIPPED, programs=GXX)
def with_the_llm_frozen() -> dict[str, Any]:
    """Only the projector is trained."""
    return one_step(freeze_llm=True)


if __name__ == "__main__":
    main(__file__)
