"""Read weights into a model that another config.json, or another base, describes."""

import json
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, BitsAndBytesConfig

IDS = torch.tensor([[tag, 2, 5, tag - 100] for tag in range(110, 118)])
LABELS = IDS.masked_fill(
    torch.arange(4) < 3, -100
)  # the answer, for which attention has to look back


def train(model: Any) -> Any:
    """Learn the eight answers."""
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], 1e-2)
    for _ in range(40):
        model(input_ids=IDS, labels=LABELS).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return model


def edit_config(folder: str, **changes: Any) -> None:
    """Write other values into config.json; None removes one."""
    path = Path(folder, "config.json")
    config = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({name: it for name, it in config.items() if it is not None}))


def read(folder: str, *, ignore: bool = False) -> Any:
    """Read a model."""
    return AutoModelForCausalLM.from_pretrained(folder, ignore_mismatched_sizes=ignore)


def quantize(folder: str, to: str) -> None:
    """Save the model in 4 bits."""
    settings: Any = BitsAndBytesConfig  # its constructor has no types
    four = settings(load_in_4bit=True, bnb_4bit_quant_type="nf4")
    AutoModelForCausalLM.from_pretrained(folder, quantization_config=four).save_pretrained(to)


def lora(model: Any) -> Any:
    """Put LoRA on every linear layer."""
    return get_peft_model(model, LoraConfig(target_modules="all-linear"))


def load_adapter(base: str, folder: str) -> Any:
    """Put a saved adapter on a base."""
    return PeftModel.from_pretrained(read(base), folder)
