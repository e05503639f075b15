"""Supervised fine-tuning with TRL, its options given to the trainer or to its configuration."""

import copy
from typing import Any

import datasets
import trl
from transformers import TrainingArguments

QUIET: dict[str, Any] = {"output_dir": "out", "report_to": "none", "max_steps": 1}


def config(**options: Any) -> Any:
    """Make TRL's configuration."""
    return trl.SFTConfig(**QUIET, bf16=False, per_device_train_batch_size=2, **options)


def plain() -> Any:
    """Make the arguments of transformers, as scripts of 2024 do."""
    return TrainingArguments(**QUIET, per_device_train_batch_size=2)


def texts(column: str) -> datasets.Dataset:
    """Make two long texts."""
    return datasets.Dataset.from_dict({column: ["the loss goes down " * 400] * 2})


def trainer(model: Any, args: Any, column: str = "text", **options: Any) -> Any:
    """Make the trainer for them."""
    return trl.SFTTrainer(model, args=args, train_dataset=texts(column), **options)


def preference(model: Any, config: dict[str, Any] | None, **options: Any) -> Any:
    """Make a trainer of preferences; without a configuration, with transformers' arguments."""
    pair = {"prompt": ["a text"], "chosen": [" and a word"], "rejected": [" or not"]}
    args = plain() if config is None else trl.DPOConfig(**QUIET, bf16=False, **config)
    rows = datasets.Dataset.from_dict(pair)
    return trl.DPOTrainer(model, copy.deepcopy(model), args=args, train_dataset=rows, **options)
