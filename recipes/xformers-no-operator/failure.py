"""Attention of xformers, on inputs that none of its kernels takes."""

from typing import Any

import torch
from torch.nn import functional

HEADS, TOKENS, WIDTH = 2, 8, 16


def inputs(dtype: Any = torch.float32) -> list[Any]:
    """Return query, key and value in the layout of xformers: batch, tokens, heads, width."""
    torch.manual_seed(0)
    return [torch.randn(1, TOKENS, HEADS, WIDTH).to(dtype) for _ in range(3)]


def chosen() -> Any:
    """Return attention as many programs choose it: that of xformers, if the package is there."""
    try:
        from xformers.ops import memory_efficient_attention
    except ImportError:
        return plain
    return memory_efficient_attention


def plain(query: Any, key: Any, value: Any) -> Any:
    """Attend with what torch has."""
    q, k, v = (one.transpose(1, 2) for one in (query, key, value))
    return functional.scaled_dot_product_attention(q, k, v).transpose(1, 2)


def attend(query: Any, key: Any, value: Any) -> Any:
    """Attend as models with xformers do; it is loaded here, as loading alone prints a warning."""
    import xformers.ops  # type: ignore[import-not-found]

    return xformers.ops.memory_efficient_attention(query, key, value)
