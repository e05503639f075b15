"""Peaks of a step of Llama-3.2-3B's shape, on tensors without data: one card, nothing sharded."""

from __future__ import annotations

import weakref
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from transformers import LlamaConfig, LlamaForCausalLM

from fixbook.recipe import snippet

GIB = 1024**3
SHAPE = {
    "vocab_size": 128256,
    "hidden_size": 3072,
    "intermediate_size": 8192,
    "num_hidden_layers": 28,
    "num_attention_heads": 24,
    "num_key_value_heads": 8,
    "head_dim": 128,
}


class Live(TorchDispatchMode):
    """Count the bytes of all storages that are alive, and the most there were since `begin`."""

    def __init__(self) -> None:
        """Count nothing yet."""
        super().__init__()
        self.now = self.peak = 0
        self._sizes: dict[int, int] = {}

    def __torch_dispatch__(self, function: Any, _: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operation and count what it allocated."""
        out = function(*args, **(kwargs or {}))
        for part in out if isinstance(out, tuple | list) else [out]:
            if isinstance(part, torch.Tensor):
                self._count(part.untyped_storage())
        return out

    def _count(self, storage: Any) -> None:
        if storage._cdata not in self._sizes:
            self._sizes[storage._cdata] = storage.nbytes()
            self.now += storage.nbytes()
            self.peak = max(self.peak, self.now)
            weakref.finalize(storage, self._drop, storage._cdata)

    def _drop(self, key: int) -> None:
        self.now -= self._sizes.pop(key)

    def phase(self) -> float:
        """Return the peak since the last call, in GiB."""
        peak, self.peak = self.peak, self.now
        return round(peak / GIB, 1)


def step(
    *,
    rows: int = 4,
    length: int = 4096,
    attention: str = "sdpa",
    checkpointing: bool = False,
    fused_loss: bool = False,
) -> dict[str, Any]:
    """Track a step that has its optimizer states already; GiB at the peak of each phase.

    The device is 'cpu': on a CPU build, 'cuda' takes the attention path that keeps every score.
    """
    shape = LlamaConfig(**SHAPE, tie_word_embeddings=True, attn_implementation=attention)
    with FakeTensorMode(), Live() as live:
        model = LlamaForCausalLM._from_config(shape, dtype=torch.bfloat16).train()
        if checkpointing:
            snippet("checkpointing", model=model)
        optimizer = torch.optim.AdamW(model.parameters())
        for parameter in model.parameters():
            parameter.grad = torch.zeros_like(parameter)
        optimizer.step()
        optimizer.zero_grad()
        live.phase()
        held = live.now
        ids = torch.zeros(rows, length, dtype=torch.long)
        if fused_loss:
            loss = snippet("chunked-loss")["chunked_loss"](model, ids, ids)
        else:
            loss = model(input_ids=ids, labels=ids, use_cache=False).loss
        kept, forward = live.now - held, live.phase()
        loss.backward()
        backward = live.phase()
        optimizer.step()
        peaks = (forward, backward, live.phase())
    return {
        "weights_and_optimizer_gib": round(held / GIB, 1),
        "kept_for_backward_gib": round(kept / GIB, 1),
        "forward_gib": peaks[0],
        "backward_gib": peaks[1],
        "optimizer_gib": peaks[2],
        "peak_gib": max(peaks),
        "found": kept > held,
    }
