"""Logits and labels of different numbers, as cross entropy gets them."""

from typing import Any

import torch
from datasets import Dataset
from transformers import BertConfig, Trainer, TrainingArguments

LONG, SHORT, ROWS, CLASSES = 32, 24, 8, 3


def samples(labels: list[Any]) -> Any:
    """Return texts of 32 tokens, with these labels."""
    ids = [[4 + (row + place) % 60 for place in range(LONG)] for row in range(ROWS)]
    return Dataset.from_dict({"input_ids": ids, "labels": labels})


def per_text() -> list[int]:
    """Return a class for each text."""
    return [row % CLASSES for row in range(ROWS)]


def per_token(length: int = LONG) -> list[list[int]]:
    """Return a class for each token, or for some of them."""
    return [[place % CLASSES for place in range(length)] for _ in range(ROWS)]


def one_hot() -> list[list[int]]:
    """Return a class for each text as zeros and a one."""
    return [[int(row % CLASSES == number) for number in range(CLASSES)] for row in range(ROWS)]


def bert(make: Any) -> Any:
    """Return a small BERT with a head."""
    torch.manual_seed(0)
    size: dict[str, Any] = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    return make(BertConfig(vocab_size=128, intermediate_size=32, num_labels=CLASSES, **size))


def trainer_for(model: Any, data: Any, collator: Any = None, *, cpu: bool) -> Trainer:
    """Return a Trainer for a few steps of 8 samples."""
    quiet: dict[str, Any] = {"report_to": [], "use_cpu": cpu, "disable_tqdm": True}
    quiet |= {"max_steps": 3, "save_strategy": "no", "learning_rate": 1e-2}
    args = TrainingArguments("out", per_device_train_batch_size=ROWS, **quiet)
    return Trainer(model, args, train_dataset=data, data_collator=collator)
