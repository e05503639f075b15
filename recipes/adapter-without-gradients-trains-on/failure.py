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

from fixbook.recipe import device

SIZES = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
TOKENS = torch.arange(4, 20)
IMAGE = torch.sin(torch.arange(512.0)).reshape(16, 32)  # what a frozen encoder has made of one
TARGETS = LoraConfig(target_modules=["q_proj", "v_proj"])
WITH_A_HEAD = LoraConfig(target_modules=["q_proj", "v_proj"], modules_to_save=["lm_head"])


def base() -> Any:
    """Return a base model from its folder."""
    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(num_attention_heads=4, **SIZES)).save_pretrained("base")
    return AutoModelForCausalLM.from_pretrained("base").to(device())


def save_adapter() -> None:
    """Train an adapter for the first time: here it is only saved."""
    get_peft_model(base(), TARGETS).save_pretrained("adapter")


def continued() -> Any:
    """Load the adapter again, to train it further."""
    save_adapter()
    return PeftModel.from_pretrained(base(), "adapter")


def from_its_folder(*, switched_on: bool = False) -> Any:
    """Let transformers load the adapter with its base model."""
    save_adapter()
    model: Any = AutoModelForCausalLM.from_pretrained("adapter")
    if switched_on:
        model.set_adapter("default")
    return model.to(device())


def prepared_last() -> Any:
    """Prepare the model after it has got its adapter."""
    return prepare_model_for_kbit_training(get_peft_model(base(), TARGETS))


def train(model: Any, row: dict[str, Any], settings: TrainingArguments, callbacks: Any) -> Any:
    """Train two steps."""
    trainer = Trainer(model, settings, train_dataset=[row] * 2, callbacks=callbacks)
    trainer.train()
    return trainer.state.log_history
