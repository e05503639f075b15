"""Requests for host memory that are refused: too large a shape, or too low a limit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch.multiprocessing
from safetensors import safe_open
from transformers import LlamaConfig, LlamaForCausalLM

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import limits

WHOLE = 1 << 30  # bytes of weights
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


def write_sparse(path: str, size: int) -> None:
    """Write a file of weights of so many bytes; all but the first few are a hole."""
    small = {"dtype": "U8", "shape": [16], "data_offsets": [0, 16]}
    rest = {"dtype": "U8", "shape": [size - 16], "data_offsets": [16, size]}
    header = json.dumps({"small": small, "rest": rest}).encode()
    with Path(path).open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + size)


def read_weights(files: int) -> dict[str, Any]:
    """Read one small tensor of each file, of 1 GiB in all, where 1536 MiB are left."""
    names = ["one.safetensors"] if files == 1 else [f"{i}.safetensors" for i in range(files)]
    for name in names:
        write_sparse(name, WHOLE // files)
    measure(files=files, bytes=WHOLE)
    read = 0
    with limits(memory=kib("VmSize") * 1024 + (1536 << 20)):
        for name in names:
            with safe_open(name, "pt") as weights:
                read += weights.get_tensor("small").shape[0] // 16
    return {"read": read}


def share(*, together: bool) -> dict[str, Any]:
    """Share seventy thousand tensors by file name, one by one or as one."""
    torch.multiprocessing.set_sharing_strategy("file_system")  # type: ignore[no-untyped-call]
    rows = list(torch.zeros(70_000, 4).unbind())
    most = int(Path("/proc/sys/vm/max_map_count").read_text())
    measure(tensors=len(rows), max_map_count=most)
    if together:
        return {"rows": len(snippet("one", rows=rows)["shared"])}
    return {"rows": len([row.clone().share_memory_() for row in rows])}
