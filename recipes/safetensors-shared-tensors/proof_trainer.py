"""A Trainer that saves a wrapped model at its first checkpoint, and resumes from it."""

from __future__ import annotations

from typing import Any

import torch
from failure import WithValueHead, tie
from proof_reload import IDS, apart
from safetensors.torch import load_file
from transformers import Trainer, TrainingArguments

from fixbook.recipe import device, snippet

CHECKPOINT = "out/checkpoint-1"


def fit(trainer_class: Any, model: Any, steps: int, **options: Any) -> Any:
    """Train, with a checkpoint after the first step."""
    quiet: dict[str, Any] = {"report_to": [], "disable_tqdm": True, "use_cpu": device() == "cpu"}
    args = TrainingArguments("out", max_steps=steps, save_steps=1, **quiet)
    rows = [{"input_ids": IDS[0], "labels": IDS[0]}] * 8
    trainer = trainer_class(model, args, train_dataset=rows)
    trainer.train(**options)
    return trainer


def train(*, save_copies: bool = False) -> dict[str, Any]:
    """Train one step and save; load the checkpoint, and resume from it."""
    trainer_class = snippet("trainer")["SavesCopies"] if save_copies else Trainer
    torch.manual_seed(0)
    model = WithValueHead(tie())
    fit(trainer_class, model, 1)
    loaded = WithValueHead(tie())
    loaded.load_state_dict(load_file(f"{CHECKPOINT}/model.safetensors"))
    resumed = fit(trainer_class, WithValueHead(tie()), 2, resume_from_checkpoint=CHECKPOINT)
    return {"off_by": apart(model.base, loaded.base), "step": resumed.state.global_step}
