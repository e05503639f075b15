"""What axolotl makes of the file in axolotl#2143, and of the line that it logs."""

from __future__ import annotations

import itertools
import sys
from typing import Any
from unittest import mock

import torch

from fixbook.recipe import detect, fix

GIB = 1024**3
POSTED = {  # as the report has it, without the length
    "base_model": "meta-llama/Llama-3.2-3B-Instruct",
    "datasets": [{"path": "./data.jsonl", "ds_type": "json", "type": "input_output"}],
    "output_dir": "./outputs",
    "gradient_accumulation_steps": 4,
    "micro_batch_size": 1,
    "num_epochs": 1,
    "learning_rate": 1e-5,
    "lr_scheduler": "cosine",
    "optimizer": "adamw_torch",
}


def resolved(key: str) -> tuple[dict[str, Any], Any]:
    """Let axolotl validate the posted file with its length under a key."""
    from axolotl.utils.config import validate_config
    from axolotl.utils.dict import DictDefault

    config = validate_config(DictDefault(POSTED | {key: 2048}))
    found = {"found": key not in config, "sequence_len": config.sequence_len}
    return found | {"checkpointing": bool(config.gradient_checkpointing)}, config


def rows_kept(key: str) -> dict[str, Any]:
    """Let axolotl's own filter drop the rows that are longer than the configuration allows."""
    found, config = resolved(key)
    sys.modules.setdefault("numba", mock.MagicMock())  # imported for packing, unused here
    from axolotl.utils.trainer import filter_sequences_by_length

    lengths = (100, 500, 600, 1500, 2000)
    rows = {"input_ids": [[1] * length for length in lengths]}
    passed = filter_sequences_by_length(rows, config.sequence_len)
    return found | {"rows_kept": list(itertools.compress(lengths, passed))}


@detect(found=True, on="cpu", needs=["axolotl"])
def length_under_a_wrong_key() -> dict[str, Any]:
    """Show that `sequence_length` vanishes, and the rows over the default length with it."""
    return rows_kept("sequence_length")


@fix("real-length-key", control="length-under-a-wrong-key", on="cpu", needs=["axolotl"])
def length_under_the_right_key() -> dict[str, Any]:
    """Show that the length counts under its real name, and every row stays."""
    return rows_kept("sequence_len")


AT_THE_TIME = [
    "axolotl==0.5.2",
    "transformers==4.46.3",
    "tokenizers==0.20.3",
    "huggingface_hub==0.26.5",
    "peft==0.13.2",
    "pynvml==11.5.3",
    "fastcore==1.7.22",
]


@detect(found=True, on="cpu", versions=AT_THE_TIME)
def axolotl_of_the_report() -> dict[str, Any]:
    """Show the same silence in the release before the report, and what its log calls cache."""
    from axolotl.utils import bench

    counters = {"memory_allocated": lambda _: 1 * GIB, "memory_reserved": lambda _: 71 * GIB}
    with mock.patch.multiple(torch.cuda, **counters):
        _, cache, _ = bench.gpu_memory_usage_all.__wrapped__(0)  # without the check for a GPU
    return resolved("sequence_length")[0] | {"logged_as_cache_gib": cache}
