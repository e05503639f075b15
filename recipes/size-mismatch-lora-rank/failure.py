"""Train LoRA with the Trainer, then go on with other settings than it was saved with."""

import json
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

from fixbook.recipe import device

IDS = torch.tensor([[2, 5, tag, tag - 100] for tag in range(110, 118)])
LABELS = IDS.masked_fill(torch.arange(4) < 3, -100)  # the answer alone
DATA = [{"input_ids": i, "labels": j} for i, j in zip(IDS.tolist(), LABELS.tolist(), strict=True)]
MODULES = ["q_proj", "v_proj", "down_proj"]
SAVED = "out/checkpoint-15"


def config(**changes: Any) -> Any:
    """Return the settings of LoRA."""
    usual: dict[str, Any] = {"r": 16, "lora_alpha": 32, "target_modules": MODULES}
    return LoraConfig(**usual | changes)


def base() -> Any:
    """Read the base."""
    model: Any = AutoModelForCausalLM.from_pretrained("base")
    return model.to(device())


def adapted(settings: Any) -> Any:
    """Read the base and put LoRA on it."""
    return get_peft_model(base(), settings)


def train(model: Any, *, resume: str | None = None) -> Any:
    """Train to step 15, from the start or from a checkpoint."""
    args = TrainingArguments(
        "out",
        max_steps=15,
        save_steps=15,
        per_device_train_batch_size=8,
        learning_rate=3e-2,
        lr_scheduler_type="constant",
        report_to=[],
        use_cpu=device() == "cpu",
        disable_tqdm=True,
    )
    Trainer(model=model, args=args, train_dataset=DATA).train(resume_from_checkpoint=resume)
    return model


def edit_config(**changes: Any) -> None:
    """Write other values into the adapter_config.json beside the weights."""
    path = Path(SAVED, "adapter_config.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def load(*, ignore: bool = False) -> Any:
    """Put the saved adapter on the base."""
    return PeftModel.from_pretrained(base(), SAVED, ignore_mismatched_sizes=ignore)
