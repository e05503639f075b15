"""A Trainer whose model returns logits and no loss."""

from typing import Any

import torch
from datasets import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

TEXTS = ["the model reads a text", "a loss goes down"] * 4


class Scorer(torch.nn.Module):
    """A model of one's own, which gets labels."""

    def __init__(self) -> None:
        super().__init__()
        self.body = torch.nn.Embedding(128, 1)

    def forward(self, input_ids: Any, labels: Any = None) -> dict[str, Any]:
        """Return scores, as a model for inference does."""
        del labels
        return {"scores": self.body(input_ids).mean((1, 2))}


def tokenized(tokenizer: Any, **columns: Any) -> Any:
    """Return tokenized texts of one length, without labels, and further columns."""
    ids = tokenizer(TEXTS, padding="max_length", max_length=12)
    return Dataset.from_dict(
        {"input_ids": ids["input_ids"], "attention_mask": ids["attention_mask"]} | columns
    )


def classifier() -> Any:
    """Return a model that classifies texts."""
    size: dict[str, Any] = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = BertConfig(vocab_size=128, intermediate_size=32, **size)
    make: Any = BertForSequenceClassification  # its constructor has no types
    return make(config)


def trainer_for(
    model: Any, data: Any, collator: Any = None, *, cpu: bool, **options: Any
) -> Trainer:
    """Return a Trainer for a few steps."""
    quiet: dict[str, Any] = {"report_to": [], "use_cpu": cpu, "disable_tqdm": True}
    quiet |= {"max_steps": 3, "save_strategy": "no", "learning_rate": 1e-2}
    args = TrainingArguments("out", **quiet, **options)
    sets = {"train_dataset": data, "eval_dataset": data}
    return Trainer(model, args, data_collator=collator, **sets)
