"""Training whose loss or gradient becomes nan, for one reason at a time."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch.amp import GradScaler
from transformers import AttentionInterface, AttentionMaskInterface, Trainer, TrainingArguments
from transformers.masking_utils import sdpa_mask


def rows(*, empty: int = -1, padded: int = 0, drop: bool = False) -> list[dict[str, list[int]]]:
    """Return four rows; one may have no labels, all may begin with padding."""
    generator = torch.Generator().manual_seed(0)
    data = []
    for number in range(4):
        ids = [0] * padded + torch.randint(4, 128, (12 - padded,), generator=generator).tolist()
        labels = [-100] * (12 if number == empty else padded)
        mask = [0] * padded + [1] * (12 - padded)
        row = {"input_ids": ids, "labels": labels + ids[len(labels) :], "attention_mask": mask}
        if not drop or any(label != -100 for label in row["labels"][1:]):
            data.append(row)
    return data


def enlarge(model: Any, times: float, head: float) -> None:
    """Give the MLPs large outputs, as models have that were trained in bf16, or the head."""
    with torch.no_grad():
        model.lm_head.weight.mul_(head)
        for layer in model.model.layers:
            layer.mlp.gate_proj.weight.mul_(times)
            layer.mlp.up_proj.weight.mul_(times)


def by_hand(module: Any, query: Any, key: Any, value: Any, mask: Any, **how: Any) -> Any:
    """Compute attention as textbooks do: what is masked gets minus infinity; nan may become 0."""
    key, value = (t.repeat_interleave(module.num_key_value_groups, 1) for t in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    weights = (scores + torch.zeros(mask.shape).masked_fill(~mask, float("-inf"))).softmax(-1)
    weights = weights.nan_to_num() if how.get("zeroed") else weights
    return (weights @ value).transpose(1, 2), weights


BY_HAND = {"by_hand": by_hand, "zeroed": partial(by_hand, zeroed=True)}


def build(model: Any, data: Any, *, precision: str = "", **settings: Any) -> Trainer:
    """Return a Trainer of four steps, one row each."""
    attention = model.config._attn_implementation
    if attention in BY_HAND:
        AttentionInterface.register(attention, BY_HAND[attention])
        AttentionMaskInterface.register(attention, sdpa_mask)
    quiet: dict[str, Any] = {"report_to": "none", "save_strategy": "no", "disable_tqdm": True}
    few = {"max_steps": 4, "per_device_train_batch_size": 1, "logging_steps": 1, "use_cpu": True}
    chosen = {precision: True} if precision else {}
    arguments = TrainingArguments("out", **quiet | few | chosen | settings)
    trainer = Trainer(model, arguments, train_dataset=data)
    if trainer.args.fp16:  # what accelerate does for a GPU and leaves out on a CPU
        trainer.accelerator.native_amp = True
        trainer.accelerator.scaler = GradScaler("cpu")
    return trainer
