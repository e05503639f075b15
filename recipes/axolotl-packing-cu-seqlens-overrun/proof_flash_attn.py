"""Takes the place of flash-attn on a CPU: notes what its kernel is handed, attends with SDPA.

Offsets past the rows are clipped; what a GPU reads and writes there, a CPU cannot show.
"""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import ModuleSpec
from itertools import pairwise
from types import ModuleType
from typing import Any

import torch
from torch.nn.functional import scaled_dot_product_attention


class Kernel:
    """What `flash_attn` offers, and what it was last handed."""

    def __init__(self) -> None:
        self.rows, self.offsets = 0, [0]

    def varlen(
        self,
        q: torch.Tensor,
        k: torch.Tensor,
        v: torch.Tensor,
        cu_seqlens_q: torch.Tensor,
        *_: Any,
        **__: Any,
    ) -> torch.Tensor:
        """Attend within each segment that the offsets mark."""
        self.rows, self.offsets = len(q), cu_seqlens_q.tolist()
        out = torch.zeros_like(q)
        for start, end in pairwise(min(offset, self.rows) for offset in self.offsets):
            out[start:end] = _attend(*(x[None, start:end] for x in (q, k, v)))[0]
        return out

    def dense(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *_: Any, **__: Any) -> Any:
        """Attend over the whole length, without offsets."""
        self.rows, self.offsets = q.shape[1], []
        return _attend(q, k, v)


def install() -> Kernel:
    """Be the package ``flash_attn`` for what transformers imports from now on; see `look_again`."""
    from transformers.utils import import_utils

    kernel = Kernel()
    for names in _loaded():
        for name in ("2_available", "greater_or_equal", "greater_or_equal_2_10"):
            if f"is_flash_attn_{name}" in names:
                names[f"is_flash_attn_{name}"] = lambda *_, **__: True
    known = getattr(import_utils, "PACKAGE_DISTRIBUTION_MAPPING", {})
    known.setdefault("flash_attn", ["flash-attn"])
    names = ("", ".bert_padding", ".layers", ".layers.rotary")
    package, padding, _, rotary = modules = [ModuleType(f"flash_attn{name}") for name in names]
    package.__spec__ = ModuleSpec("flash_attn", None)  # transformers asks whether there is one
    package.flash_attn_func, package.flash_attn_varlen_func = kernel.dense, kernel.varlen
    package.flash_attn_with_kvcache = padding.unpad_input = rotary.apply_rotary_emb = None
    padding.index_first_axis = lambda rows, indices: rows[indices]
    padding.pad_input = _scatter_rows
    sys.modules.update({module.__name__: module for module in modules})
    return kernel


def look_again() -> None:
    """Let transformers look for flash-attn once more where it has looked while it was imported."""
    caller = sys.modules.get("transformers.modeling_flash_attention_utils")
    if caller is None:
        return
    before = dict(vars(caller))
    importlib.reload(caller)
    for names in _loaded():  # some hold what was there before
        names.update({
            name: vars(caller)[name]
            for name, value in names.items()
            if not name.startswith("__") and name in before and value is before[name]
        })  # fmt: skip


def _loaded() -> list[dict[str, Any]]:
    return [vars(part) for name, part in sys.modules.items() if name.startswith("transformers")]


def _attend(*qkv: torch.Tensor) -> torch.Tensor:
    q, k, v = (x.transpose(1, 2) for x in qkv)
    out = scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
    return out.transpose(1, 2)


def _scatter_rows(rows: torch.Tensor, indices: torch.Tensor, batch: int, n: int) -> torch.Tensor:
    out = rows.new_zeros(batch * n, *rows.shape[1:])
    out[indices] = rows
    return out.unflatten(0, (batch, n))
