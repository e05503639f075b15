"""Other releases of transformers, sequences longer than the kernel is compiled for, and a GPU."""

from __future__ import annotations

import hashlib
import inspect
from typing import Any

from proof_run import one_step, sanitized

from fixbook.recipe import detect, fix, reproduce, snippet

GXX = ["g++"]
SHIPPED = ["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"]
FIRST = ["transformers==4.30.0", "tokenizers==0.13.3", "huggingface_hub==0.14.1"]
BEFORE = ["transformers==4.29.2", "tokenizers==0.13.3", "huggingface_hub==0.14.1"]
GPU = {"on": "cuda", "needs": ["transformers"], "env": {"HF_HUB_OFFLINE": "0"}, "timeout_s": 300}


def look(apply: str = "") -> dict[str, Any]:
    """Run the page's measurement in today's release, on its own backward or on the patched one."""
    from transformers.models.rwkv import modeling_rwkv as rwkv

    source = inspect.getsource(rwkv.RwkvLinearAttention).encode()
    if apply:
        snippet(apply)
    kernel = snippet("detect")["kernel"]
    room, written = kernel.room, kernel.written
    known = hashlib.sha256(source).hexdigest()[:12]
    return {"found": written > room, "room": room, "written": written, "source": known}


@detect(found=True)
def current_release() -> dict[str, Any]:
    """What the page offers for copying, in today's release of transformers."""
    return look()


@detect(found=False, control="current-release")
def current_release_patched() -> dict[str, Any]:
    """The same behind the published patch."""
    return look(apply="allocate-per-sample")


@detect(found=True, versions=FIRST, programs=GXX)
def first_release() -> dict[str, Any]:
    """Release 4.30.0, the first whose backward can be called."""
    return one_step()


@detect(found=False, control="first-release", versions=BEFORE, programs=GXX)
def release_before() -> dict[str, Any]:
    """Release 4.29.2: autograd cannot call its backward at all."""
    return one_step()


@reproduce(versions=SHIPPED, programs=GXX, timeout_s=240)
def longer_than_compiled() -> None:
    """One sample of six tokens, a kernel compiled for four: past the arrays of its threads."""
    sanitized(samples=1, tmax=4)


@fix(
    "room-for-every-token",
    control="longer-than-compiled",
    versions=SHIPPED,
    programs=GXX,
    timeout_s=240,
)
def compiled_for_the_longest() -> None:
    """The same kernel compiled for six."""
    sanitized(samples=1, tmax=6)


@detect(found=True, **GPU)
def gpu_two_samples() -> dict[str, Any]:
    """All of transformers, and the kernel it loads on this machine."""
    return one_step(device="cuda")


@fix("allocate-per-sample", control="gpu-two-samples", **GPU)
def gpu_a_row_per_sample() -> dict[str, Any]:
    """The same behind the published patch."""
    return one_step(device="cuda", apply="allocate-per-sample")
