"""The parameter gradients of RWKV-4 attention in Triton, stored with the CUDA kernel's indices."""

# ruff: noqa: ANN001, ANN201, PLR0913, PLR0917  (Triton reads the signature: pointers and sizes)
from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def wkv_backward(w, u, k, v, gy, gw, gu, tokens, channels, BLOCK: tl.constexpr):
    """One program per sample and block of channels; w is -exp(time_decay)."""
    sample = tl.program_id(0)
    channel = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = channel < channels
    decay = tl.load(w + channel, mask=inside, other=0.0)
    bonus = tl.load(u + channel, mask=inside, other=0.0)
    keep = tl.exp(decay)

    # Numerator and denominator over the earlier tokens, and their derivatives with respect to w.
    num = tl.zeros([BLOCK], tl.float32)
    den = tl.zeros([BLOCK], tl.float32)
    num_w = tl.zeros([BLOCK], tl.float32)
    den_w = tl.zeros([BLOCK], tl.float32)
    sum_w = tl.zeros([BLOCK], tl.float32)
    sum_u = tl.zeros([BLOCK], tl.float32)
    for token in range(tokens):
        at = (sample * tokens + token) * channels + channel
        key = tl.load(k + at, mask=inside, other=0.0)
        value = tl.load(v + at, mask=inside, other=0.0)
        upstream = tl.load(gy + at, mask=inside, other=0.0)
        weight = tl.exp(key)
        current = tl.exp(bonus + key)
        total = den + current
        output = (num + current * value) / total
        sum_w += upstream * (num_w - output * den_w) / total
        sum_u += upstream * current * (value - output) / total
        num_w = keep * (num + num_w)
        den_w = keep * (den + den_w)
        num = keep * num + weight * value
        den = keep * den + weight

    row_of_sample = sample * channels + channel
    tl.store(gw + row_of_sample, sum_w * decay, mask=inside)
    tl.store(gu + row_of_sample, sum_u, mask=inside)
