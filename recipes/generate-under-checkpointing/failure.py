"""Generate from a model that is being trained, while gradient checkpointing is on."""

from __future__ import annotations

from typing import Any

import torch
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    T5Config,
    T5ForConditionalGeneration,
    Trainer,
    TrainerCallback,
    TrainingArguments,
)

from fixbook.recipe import device
from fixbook.recipe.helpers import tiny_llama

PROMPT = [20, 21, 22, 23, 24, 25, 26, 27, 30, 31, 32]
OPTIONS: dict[str, Any] = {"max_new_tokens": 12, "do_sample": False}


def model_of(kind: str = "llama", *, dropout: float = 0.0) -> Any:
    """Return a small model whose random weights tell tokens apart."""
    torch.manual_seed(0)
    if kind == "gpt2":
        size: dict[str, Any] = {"n_embd": 32, "n_layer": 2, "n_head": 4, "initializer_range": 0.2}
        size |= dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), dropout)
        ids = {"vocab_size": 64, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 0}
        return GPT2LMHeadModel(GPT2Config(**size, **ids)).to(device())
    if kind == "t5":
        size = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4}
        size |= {"initializer_factor": 3.0, "dropout_rate": dropout}
        ids = {"vocab_size": 64, "pad_token_id": 0, "decoder_start_token_id": 0, "eos_token_id": 1}
        return T5ForConditionalGeneration(T5Config(**size, **ids)).to(device())
    wide = {"initializer_range": 0.2, "attention_dropout": dropout}
    return tiny_llama(vocab_size=64, **wide).to(device())


def prompt() -> dict[str, Any]:
    """Return a prompt."""
    ids = torch.tensor([PROMPT]).to(device())
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def as_it_stands(model: Any) -> Any:
    """Generate in the middle of a training."""
    return model.generate(**prompt(), **OPTIONS)


def in_training(model: Any, **checkpointing: Any) -> Any:
    """Bring a model into the state that it has between two steps of a training."""
    model.gradient_checkpointing_enable(**checkpointing)
    return model.train()


class Samples(TrainerCallback):
    """Write on from a prompt while the Trainer trains."""

    def __init__(self, generate: Any, when: str) -> None:
        """Call ``generate`` after each step, or after each evaluation."""
        setattr(self, when, self.sample)
        self.generate = generate

    def sample(self, *_: Any, model: Any, **__: Any) -> None:
        """Write on from the prompt."""
        self.generate(model)


def train(model: Any, generate: Any, when: str, folder: str) -> None:
    """Train for one step, with samples."""
    ids = torch.tensor(PROMPT)
    rows = [{"input_ids": ids, "labels": ids}] * 4
    options: dict[str, Any] = {"max_steps": 1, "report_to": [], "save_strategy": "no"}
    options |= {"gradient_checkpointing": True, "eval_strategy": "steps", "eval_steps": 1}
    arguments = TrainingArguments(folder, **options)
    trainer = Trainer(model, arguments, train_dataset=rows, eval_dataset=rows)
    trainer.add_callback(Samples(generate, when))
    trainer.train()
