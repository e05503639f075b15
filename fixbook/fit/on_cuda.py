"""What CUDA does otherwise than a CPU, put in place while fake tensors stand for CUDA's.

A build of torch without CUDA can run no autograd on fake CUDA tensors, so these are fake CPU ones.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import torch
from torch import nn
from torch.nn import functional

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fixbook.fit.plan import Attention

_HALVES = (torch.float16, torch.bfloat16)
_softmax = functional.softmax


@contextlib.contextmanager
def as_on_cuda(attention: Attention) -> Iterator[None]:
    """Call the operators that CUDA calls, for as long as this lasts.

    Args:
        attention: The operator that ``scaled_dot_product_attention`` takes.
    """
    with (
        patch.object(functional, "scaled_dot_product_attention", _attention(attention)),
        patch.object(functional, "softmax", _one_kernel),
        patch.object(nn.Module, "_apply", _replace),
    ):
        yield


def _attention(wanted: Attention) -> Callable[..., torch.Tensor]:
    def attend(  # noqa: PLR0913, PLR0917  (torch's own signature)
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        attn_mask: torch.Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,  # noqa: FBT001, FBT002
        scale: float | None = None,
        enable_gqa: bool = False,  # noqa: FBT001, FBT002
    ) -> torch.Tensor:
        if wanted == "flash" and attn_mask is None and query.dtype in _HALVES:
            flash = torch.ops.aten._scaled_dot_product_flash_attention  # noqa: SLF001
            out: torch.Tensor = flash(
                query, key, value, dropout_p, is_causal, return_debug_mask=False, scale=scale
            )[0]
            return out
        groups = query.shape[1] // key.shape[1]
        if enable_gqa and groups > 1:
            key, value = (one.repeat_interleave(groups, 1) for one in (key, value))
        efficient = torch.ops.aten._scaled_dot_product_efficient_attention  # noqa: SLF001
        mask = _bias(attn_mask, query, key)
        compute_log = torch.is_grad_enabled()
        attended: torch.Tensor = efficient(
            query, key, value, mask, compute_log, dropout_p, is_causal, scale=scale
        )[0]
        return attended

    return attend


def _bias(mask: torch.Tensor | None, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor | None:
    """Return a mask as the memory-efficient operator takes it: numbers to add, one row a head."""
    if mask is None:
        return None
    if mask.dtype == torch.bool:
        mask = torch.zeros_like(mask, dtype=query.dtype).masked_fill_(~mask, float("-inf"))
    return mask.expand(query.shape[0], query.shape[1], query.shape[2], key.shape[2])


def _one_kernel(
    input: torch.Tensor,  # noqa: A002  (torch's own name)
    dim: int | None = None,
    _stacklevel: int = 3,
    dtype: torch.dtype | None = None,
) -> torch.Tensor:
    """Softmax: from half to float32 is one kernel on CUDA, and a copy first on a CPU."""
    if dtype is torch.float32 and input.dtype is torch.float16 and dim is not None:
        whole: torch.Tensor = torch.ops.aten._softmax.default(input, dim, True)  # noqa: FBT003, SLF001
        return whole
    return _softmax(input, dim, _stacklevel, dtype)


def _replace(module: nn.Module, fn: Callable[[Any], Any], recurse: bool = True) -> nn.Module:  # noqa: FBT001, FBT002
    """``Module._apply`` with new parameters: it swaps fake ones, which weak references forbid."""
    if recurse:
        for child in module.children():
            child._apply(fn)  # noqa: SLF001
    for name, parameter in module._parameters.items():  # noqa: SLF001
        if parameter is None:
            continue
        with torch.no_grad():
            applied = fn(parameter)
        if applied is not parameter:
            module._parameters[name] = nn.Parameter(applied, parameter.requires_grad)  # noqa: SLF001
    for name, buffer in module._buffers.items():  # noqa: SLF001
        if buffer is not None:
            module._buffers[name] = fn(buffer)  # noqa: SLF001
    return module
