"""A full fine-tuning of a checkpoint that is stored in bf16."""

from typing import Any

import torch
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

from fixbook.recipe.helpers import tiny_llama

TOKENS = torch.arange(32)  # of 64: every row of the embedding gets a gradient
ROWS = [{"input_ids": TOKENS + at, "labels": TOKENS + at} for at in range(0, 34, 2)]


def save(dtype: torch.dtype = torch.bfloat16) -> None:
    """Save a model as publishers do, with its dtype in config.json."""
    tiny_llama(vocab_size=64).to(dtype).save_pretrained("model")


def load(**options: Any) -> Any:
    """Load it."""
    return AutoModelForCausalLM.from_pretrained("model", **options)


def train(model: Any, callbacks: Any, *, cpu: bool, rate: float = 1e-5, **options: Any) -> Trainer:
    """Train 60 steps with AdamW."""
    quiet: dict[str, Any] = {"report_to": [], "save_strategy": "no", "disable_tqdm": True}
    quiet |= {"max_steps": 60, "per_device_train_batch_size": 8, "use_cpu": cpu}
    args = TrainingArguments("out", learning_rate=rate, **quiet, **options)
    trainer = Trainer(model, args, train_dataset=ROWS, eval_dataset=ROWS, callbacks=callbacks)
    trainer.train()
    return trainer
