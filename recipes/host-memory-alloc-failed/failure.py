"""Requests for host memory that are refused: too large a shape, or too low a limit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from fixbook.recipe.helpers import limits

CEILING = 64 << 30  # bytes: refused here, too, where a machine has that much
SIZE: dict[str, Any] = {
    "vocab_size": 128, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2,
}  # fmt: skip


def kib(name: str) -> int:
    """Return a figure that the kernel keeps of this process, in KiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1])


@torch.no_grad()
def forward(rows: Any, report: Any = print, *, positions: int = 4096) -> float:
    """Build a model for so many positions, run rows of tokens, and return the loss.

    ``report`` is called with the number of rows that come out of the embedding.
    """
    with limits(memory=CEILING):
        config = LlamaConfig(**SIZE, max_position_embeddings=positions, attn_implementation="eager")
        model = LlamaForCausalLM(config)
        embedding = model.get_input_embeddings()
        embedding.register_forward_hook(lambda _, __, out: report(rows=out.shape[0]))
        return float(model(rows, labels=rows).loss)


def save_in_bf16(folder: str = "model") -> None:
    """Save a model of 256 MiB, most of it the embedding."""
    size = SIZE | {"vocab_size": 1 << 17, "hidden_size": 1024, "tie_word_embeddings": True}
    with torch.device("meta"):
        model: Any = LlamaForCausalLM(LlamaConfig(**size))
    model.to(torch.bfloat16).to_empty(device="cpu")
    model.tie_weights()
    model.save_pretrained(folder)
