"""One step of a Trainer, and what its checkpoint holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proof_models import BASE, CHECKPOINT, save_base, tiny
from transformers import AutoTokenizer, Trainer, TrainingArguments

from fixbook.recipe import snippet


def train(*, page: bool = False) -> None:
    """Train for a step and keep its checkpoint, with the page's line or without it."""
    save_base("qwen2")
    tokenizer = AutoTokenizer.from_pretrained(BASE)
    rows = [{"input_ids": (ids := tokenizer("the model reads a text")["input_ids"]), "labels": ids}]
    given: dict[str, Any] = {
        "model": tiny("qwen2"),
        "args": TrainingArguments("out", max_steps=1, save_steps=1, report_to="none"),
        "train_dataset": rows * 8,
    }
    if page:
        trainer = snippet("trainer", **given, tokenizer=tokenizer, Trainer=Trainer)["trainer"]
    else:
        trainer = Trainer(**given)
    trainer.train()
    Path("out/checkpoint-1").rename(CHECKPOINT)
