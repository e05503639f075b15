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

from proof_run import look, one_step, sanitized

from fixbook.recipe import detect, fix, main, non_fix, reproduce

# The last release that ships the kernel's source; since 5.0 it comes from the Hub.
RELEASE = ["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"]
ON_HOST = {"versions": RELEASE, "programs": ["g++"], "timeout_s": 240}
ON_GPU = {"on": "cuda", "versions": RELEASE, "programs": ["nvcc"], "timeout_s": 300}


# --- transformers: buffers for one sample -------------------------------------------------------


@reproduce(**ON_HOST)
def writes_past_the_buffer() -> None:
    """Two samples: the kernel that transformers ships writes past what transformers allocates."""
    sanitized()


@detect(found=True)
def current_release() -> dict[str, Any]:
    """What the page offers for copying, in today's release of transformers."""
    return look()


@detect(found=True, **ON_HOST)
def two_samples() -> dict[str, Any]:
    """Where nothing crashes: bytes written past the buffers, and the errors of the gradients."""
    return one_step()


@detect(found=True, **ON_GPU)
def gpu_two_samples() -> dict[str, Any]:
    """The kernel as transformers compiles it for this GPU."""
    return one_step(device="cuda")


@fix("allocate-per-sample", control="writes-past-the-buffer", **ON_HOST)
def writes_inside() -> None:
    """The same with the published patch."""
    sanitized(apply="allocate-per-sample")


@detect(found=False, control="current-release")
def current_release_patched() -> dict[str, Any]:
    """Today's release behind the published patch."""
    return look(apply="allocate-per-sample")


@fix("allocate-per-sample", control="two-samples", **ON_HOST)
def a_row_per_sample() -> dict[str, Any]:
    """The published patch: nothing past the buffers, all gradients those of the formula."""
    return one_step(apply="allocate-per-sample")


@fix("allocate-per-sample", control="two-samples", **ON_HOST)
def a_row_per_sample_in_bfloat16() -> dict[str, Any]:
    """The published patch in the precision of the reports."""
    return one_step(dtype="bfloat16", apply="allocate-per-sample")


@fix("allocate-per-sample", control="gpu-two-samples", **ON_GPU)
def gpu_a_row_per_sample() -> dict[str, Any]:
    """The same on a GPU behind the published patch."""
    return one_step(device="cuda", apply="allocate-per-sample")


# --- sequences longer than the kernel was compiled for ------------------------------------------


@reproduce(**ON_HOST)
def longer_than_compiled() -> None:
    """One sample of six tokens, a kernel compiled for four: past the arrays of its threads."""
    sanitized(samples=1, tmax=4)


@fix("room-for-every-token", control="longer-than-compiled", **ON_HOST)
def compiled_for_the_longest() -> None:
    """The same kernel compiled for six."""
    sanitized(samples=1, tmax=6)


# --- other ways out, and what is no way out -----------------------------------------------------


@detect(found=True, **ON_HOST)
def one_image_in_tiles() -> dict[str, Any]:
    """One image per device, cut into two tiles: the projector's batch is two."""
    return one_step(samples=1, tiles=2)


@fix("batch-size-one", control="two-samples", **ON_HOST)
def one_sample_at_a_time() -> dict[str, Any]:
    """The same two samples in two accumulated backward passes."""
    return one_step(micro_batch=1)


@fix("pure-torch-path", control="two-samples", **ON_HOST)
def without_the_kernel() -> dict[str, Any]:
    """The kernel is there, and switched off as the page says."""
    return one_step(apply="pure-torch-path")


@non_fix("change-the-precision", control="two-samples", **ON_HOST)
def in_bfloat16() -> dict[str, Any]:
    """The kernel's bf16 functions write as far past half the size."""
    return one_step(dtype="bfloat16")


@non_fix("freeze-the-llm", control="two-samples", **ON_HOST)
def with_the_llm_frozen() -> dict[str, Any]:
    """Only the projector is trained."""
    return one_step(freeze_llm=True)


if __name__ == "__main__":
    main(__file__)
