"""Four ways to train an adapter that gets no gradient, under the Trainer and without an error."""

from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model, prepare_model_for_kbit_training
from transformers import (
    AutoModelForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    Trainer,
    TrainingArguments,
)

SIZES = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
TOKENS = torch.arange(4, 20)
IMAGE = torch.sin(torch.arange(512.0)).reshape(16, 32)  # what a frozen encoder has made of one


def fresh(*, prepared_last: bool = False, **lora: Any) -> Any:
    """Put a new adapter on the base model in ``base``, and save it in ``adapter``."""
    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(num_attention_heads=4, **SIZES)).save_pretrained("base")
    base = AutoModelForCausalLM.from_pretrained("base")
    config = LoraConfig(target_modules=["q_proj", "v_proj"], **lora)
    if prepared_last:
        return prepare_model_for_kbit_training(get_peft_model(base, config))
    model = get_peft_model(prepare_model_for_kbit_training(base), config)
    model.save_pretrained("adapter")
    return model


def continued(*, trainable: bool = False) -> Any:
    """Load the adapter again, to train it further."""
    fresh()
    base = AutoModelForCausalLM.from_pretrained("base")
    return PeftModel.from_pretrained(base, "adapter", is_trainable=trainable)


def from_its_folder(*, switched_on: bool = False) -> Any:
    """Let transformers load the adapter with its base model."""
    fresh()
    model = AutoModelForCausalLM.from_pretrained("adapter")
    if switched_on:
        model.set_adapter("default")
    return model


def train(model: Any, row: dict[str, Any], *, callbacks: Any = (), **arguments: Any) -> Any:
    """Train two steps."""
    quiet: dict[str, Any] = {"report_to": [], "save_strategy": "no", "logging_steps": 1}
    settings = TrainingArguments("out", max_steps=2, learning_rate=1e-2, **quiet, **arguments)
    trainer = Trainer(model, settings, train_dataset=[row] * 2, callbacks=list(callbacks))
    trainer.train()
    return trainer.state.log_history
