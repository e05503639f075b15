"""Resume training with other trainable parameters than those that the optimizer was saved with."""

from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from torch import nn
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

from fixbook.recipe import device

IDS = torch.tensor([[2, 5, tag, tag - 100] for tag in range(110, 118)])
DATA = [{"input_ids": row, "labels": row} for row in IDS.tolist()]
SAVED = "out/checkpoint-4"


def base() -> Any:
    """Read the base."""
    return AutoModelForCausalLM.from_pretrained("base")


def lora(modules: str) -> Any:
    """Put LoRA on these modules."""
    return get_peft_model(base(), LoraConfig(r=4, target_modules=modules.split()))


def frozen() -> Any:
    """Read the adapter as it is read by default: for inference."""
    return PeftModel.from_pretrained(base(), SAVED)


def trainer_of(model: Any) -> Trainer:
    """Set up eight steps of training; at the fourth a checkpoint is saved."""
    args = TrainingArguments(
        "out",
        max_steps=8,
        save_steps=4,
        warmup_steps=2,
        logging_steps=1,
        per_device_train_batch_size=8,
        learning_rate=3e-2,
        report_to=[],
        use_cpu=device() == "cpu",
        disable_tqdm=True,
    )
    return Trainer(model=model, args=args, train_dataset=DATA)


def by_hand(trainer: Trainer) -> torch.optim.Optimizer:
    """Make an optimizer of all that is trained, in one group."""
    return torch.optim.AdamW(p for p in trainer.model.parameters() if p.requires_grad)


def load_state(make: Any) -> torch.optim.Optimizer:
    """Load what the Trainer saved into an optimizer for a loop of one's own."""
    optimizer: torch.optim.Optimizer = make(trainer_of(lora("q_proj v_proj")))
    optimizer.load_state_dict(torch.load(f"{SAVED}/optimizer.pt"))
    return optimizer


def loop_of(model: Any, steps: int, file: str = "", *, restore: Any = None) -> None:
    """Train in a loop of one's own, whose one file holds weights and optimizer."""
    optimizer = torch.optim.AdamW(
        [p for p in model.parameters() if p.requires_grad], 1e-3, weight_decay=0.1
    )
    if restore is not None:
        restore(model, optimizer)
    for _ in range(steps):
        ids = IDS.to(model.device)
        model(input_ids=ids, labels=ids).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    if file:
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)


def frozen_table() -> Any:
    """Freeze the embedding, which the saved run trained."""
    model = base()
    model.get_input_embeddings().requires_grad_(requires_grad=False)
    return model.to(device())


def restore_both(model: Any, optimizer: Any) -> None:
    """Load both, as a run that goes on does."""
    checkpoint = torch.load("last.pt")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])


def optimizer_of(size: int, *, fused: bool) -> torch.optim.AdamW:
    """Make an optimizer of one weight, with a gradient."""
    weight = nn.Parameter(torch.zeros(size))
    weight.grad = torch.ones_like(weight)
    return torch.optim.AdamW([weight], fused=fused)
