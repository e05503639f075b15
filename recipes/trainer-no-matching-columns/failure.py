"""A Trainer that gets columns which the model's forward does not name."""

from typing import Any

import torch
from datasets import Dataset
from transformers import DataCollatorForLanguageModeling, Trainer, TrainingArguments

TEXTS = ["the model reads a text", "a loss goes down"] * 4


def raw() -> Any:
    """Return texts that nobody has tokenized."""
    return Dataset.from_dict({"text": TEXTS})


def tokenize(tokenizer: Any) -> Any:
    """Return samples of one length with labels, and a weight for each."""
    columns = {"input_ids": [], "labels": [], "weight": []}
    for number, text in enumerate(TEXTS):
        ids = tokenizer(text, padding="max_length", max_length=12)["input_ids"]
        columns["input_ids"].append(ids)
        columns["labels"].append([id_ if id_ != tokenizer.pad_token_id else -100 for id_ in ids])
        columns["weight"].append(float(number))
    return Dataset.from_dict(columns)


def rename(tokenizer: Any) -> Any:
    """Return the same under names of one's own."""
    names = {"input_ids": "ids", "labels": "target"}
    return tokenize(tokenizer).rename_columns(names).remove_columns("weight")


def padding(tokenizer: Any) -> Any:
    """Return the collator that pads, and makes the labels."""
    return DataCollatorForLanguageModeling(tokenizer, mlm=False)


def make(model: Any, data: Any, collator: Any = None, *, cpu: bool, **options: Any) -> Any:
    """Return a Trainer."""
    quiet: dict[str, Any] = {"report_to": [], "use_cpu": cpu, "disable_tqdm": True}
    quiet |= {"max_steps": 3, "save_strategy": "no", "learning_rate": 1e-2}
    args = TrainingArguments("out", **quiet, **options)
    torch.manual_seed(0)
    return Trainer(model, args, train_dataset=data, data_collator=collator)
