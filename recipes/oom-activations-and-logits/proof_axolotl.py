"""What axolotl makes of the file in axolotl#2143."""

from __future__ import annotations

import itertools
import sys
from typing import Any
from unittest import mock

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
