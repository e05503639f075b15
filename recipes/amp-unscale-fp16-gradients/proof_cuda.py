"""The scaler of a GPU, whose message for bf16 gradients is another one."""

from __future__ import annotations

import torch
from failure import step

from fixbook.recipe import fix, reproduce


@reproduce(on="cuda")
def bf16_on_a_gpu() -> None:
    """Its kernel knows fp16 and fp32 gradients."""
    step(torch.bfloat16, "cuda")


@fix("train-fp32", control="bf16-on-a-gpu", on="cuda")
def fp32_on_a_gpu() -> None:
    """The same step on fp32 weights."""
    step(torch.float32, "cuda")
