"""Flex attention on a real GPU, compared with SDPA."""

from __future__ import annotations

from typing import Any

from flex_kernels import Options, causal


def attend_on_gpu(
    head_dim: int, kernel_options: Options | None = None, mode: str | None = None
) -> tuple[list[Any], list[Any]]:
    """Return inputs and gradients of causal flex attention, compiled for this GPU."""
    import torch
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    torch.manual_seed(0)
    inputs = [
        torch.randn(1, 2, 512, head_dim, device="cuda", dtype=torch.bfloat16, requires_grad=True)
        for _ in range(3)
    ]
    mask = create_block_mask(causal, None, None, 512, 512, device="cuda")
    compiled = torch.compile(flex_attention, dynamic=False, mode=mode)
    output = compiled(*inputs, block_mask=mask, kernel_options=kernel_options)
    return inputs, list(torch.autograd.grad(output.float().square().sum(), inputs))


def gradient_error(
    head_dim: int, kernel_options: Options | None = None, mode: str | None = None
) -> float:
    """Largest difference from SDPA's gradients in float32, as a share of the largest gradient."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    inputs, gradients = attend_on_gpu(head_dim, kernel_options, mode)
    exact = [it.detach().float().requires_grad_() for it in inputs]
    output = scaled_dot_product_attention(*exact, is_causal=True)
    reference = torch.autograd.grad(output.square().sum(), exact)
    return max(
        ((got.float() - want).abs().max() / want.abs().max()).item()
        for got, want in zip(gradients, reference, strict=True)
    )
