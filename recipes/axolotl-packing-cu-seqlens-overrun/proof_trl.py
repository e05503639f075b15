"""TRL packs a row without a mask, given its packing strategy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml


def wrapped() -> dict[str, Any]:
    """The strategy that cuts a stream of tokens into rows."""
    return packed("trl-before.yaml")


def best_fit() -> dict[str, Any]:
    """The strategy of the page's configuration."""
    return packed("trl.yaml")


def packed(name: str) -> dict[str, Any]:
    """Pack the documents and collate the row as SFTTrainer does with a configuration file."""
    from datasets import Dataset
    from failure import DOCUMENTS
    from trl import pack_dataset
    from trl.trainer.sft_trainer import DataCollatorForLanguageModeling

    text = Path(__file__).with_name("configs").joinpath(name).read_text("utf-8")
    strategy = yaml.safe_load(text)["packing_strategy"]
    rows = pack_dataset(Dataset.from_dict({"input_ids": DOCUMENTS}), 7, strategy)
    padding_free = strategy in {"bfd", "bfd_split"}  # as SFTTrainer.__init__ decides
    collate = DataCollatorForLanguageModeling(pad_token_id=0, padding_free=padding_free)
    return dict(collate(list(rows)))
