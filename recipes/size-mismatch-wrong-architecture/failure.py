"""Read weights into a model that another config.json, or another base, describes."""

import json
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, BitsAndBytesConfig

from fixbook.recipe import device

IDS = torch.tensor([[tag, 2, 5, tag - 100] for tag in range(110, 118)])
LABELS = IDS.masked_fill(torch.arange(4) < 3, -100)  # the answer needs attention to look back


def loss_of(model: Any) -> Any:
    """Return the loss on the eight answers."""
    return model(input_ids=IDS.to(model.device), labels=LABELS.to(model.device)).loss


def train(model: Any) -> Any:
    """Learn the eight answers."""
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], 1e-2)
    for _ in range(40):
        loss_of(model).backward()
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
    model: Any = AutoModelForCausalLM.from_pretrained(folder, ignore_mismatched_sizes=ignore)
    return model if hasattr(model, "hf_quantizer") else model.to(device())


def quantize(folder: str, to: str) -> None:
    """Save the model in 4 bits."""
    four = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4")  # type: ignore[no-untyped-call]
    AutoModelForCausalLM.from_pretrained(folder, quantization_config=four).save_pretrained(to)


def lora(model: Any) -> Any:
    """Put LoRA on every linear layer."""
    return get_peft_model(model, LoraConfig(target_modules="all-linear"))


def load_adapter(base: str, folder: str) -> Any:
    """Put a saved adapter on a base."""
    return PeftModel.from_pretrained(read(base), folder)
