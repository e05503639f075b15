"""A base model whose generation_config.json holds values for sampling, and does not sample."""

import json
from pathlib import Path
from typing import Any

from transformers import AutoModelForCausalLM

from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

LLAMA_2 = {"temperature": 0.9, "top_p": 0.6}  # as it was published in 2023
BEAMS = {"early_stopping": True, "length_penalty": 0.8}
ZERO = {"do_sample": False, "temperature": 0.0}
FILE = Path("base/generation_config.json")


def base(values: dict[str, Any]) -> None:
    """Write the folder of the base model."""
    tiny_llama(pad_token_id=None).save_pretrained("base")
    FILE.write_text(json.dumps({"bos_token_id": 2, "eos_token_id": 3} | values))


def load() -> Any:
    """Load it."""
    make: Any = AutoModelForCausalLM.from_pretrained
    return make("base")


def train(model: Any, *, cpu: bool) -> Any:
    """Train a step, with a tokenizer that has a pad token, as base models often lack."""
    from transformers import Trainer, TrainingArguments

    rows = [{"input_ids": [4, 5, 6], "labels": [4, 5, 6]}] * 4
    quiet: dict[str, Any] = {"report_to": [], "save_strategy": "no", "disable_tqdm": True}
    args = TrainingArguments("out", max_steps=1, use_cpu=cpu, **quiet)
    trainer = Trainer(model, args, train_dataset=rows, processing_class=tiny_tokenizer())
    trainer.train()
    return trainer
