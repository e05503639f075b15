"""A quantised model in the Trainer, with adapters where it looks for them, and without."""

from typing import Any

import torch
from peft import LoraConfig, get_peft_model, inject_adapter_in_model
from transformers import (
    AutoModelForCausalLM,
    BitsAndBytesConfig,
    LlamaConfig,
    LlamaForCausalLM,
    Trainer,
    TrainingArguments,
)

from fixbook.recipe import device

SIZES = {"vocab_size": 64, "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2}
ROW = {"input_ids": torch.arange(4, 20), "labels": torch.arange(4, 20)}
STEPS: dict[str, Any] = {
    "max_steps": 3,
    "learning_rate": 1e-2,
    "logging_steps": 1,
    "save_strategy": "no",
    "report_to": [],
}
LORA = LoraConfig(task_type="CAUSAL_LM", target_modules=["q_proj", "v_proj"])


def load(bits: int = 4, adapters: str = "none", *, compiled: bool = False) -> Any:
    """Load a model as it is quantised for QLoRA, and bring adapters in, in one way or another."""
    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(num_attention_heads=4, **SIZES)).save_pretrained("base")
    how = {4: {"load_in_4bit": True}, 8: {"load_in_8bit": True}}.get(bits)
    quantised = {"quantization_config": BitsAndBytesConfig(**how)} if how else {}
    model: Any = AutoModelForCausalLM.from_pretrained("base", device_map=device(), **quantised)
    if adapters == "wrapped":
        model = get_peft_model(model, LORA)
    elif adapters == "stored":
        model.save_pretrained("stored")
        model = AutoModelForCausalLM.from_pretrained("stored", device_map=device())
    elif adapters == "merged":
        model = get_peft_model(model, LORA).merge_and_unload()
    elif adapters == "injected":
        model = inject_adapter_in_model(LORA, model)
    elif adapters == "added":
        model.add_adapter(LORA)
    return torch.compile(model, backend="eager") if compiled else model


def trainer(model: Any, settings: Any = None) -> Any:
    """Make a Trainer."""
    settings = settings or TrainingArguments("out", **STEPS)
    return Trainer(model, settings, train_dataset=[ROW] * 3, eval_dataset=[ROW] * 3)
