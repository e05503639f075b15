"""Training whose loss or gradient becomes nan, for one reason at a time."""

from __future__ import annotations

from typing import Any

import torch
from transformers import AttentionInterface, AttentionMaskInterface, Trainer, TrainingArguments
from transformers.masking_utils import sdpa_mask


def rows(
    *, empty: int = -1, padded: int = 0, prompt: int = 0, longest: int = 12
) -> list[dict[str, list[int]]]:
    """Return four rows of at most 12 tokens; the labels of a prompt or of padding are -100."""
    generator = torch.Generator().manual_seed(0)
    data = []
    for number in range(4):
        ids = [0] * padded + torch.randint(4, 128, (12 - padded,), generator=generator).tolist()
        labels = [-100] * (12 if number == empty else max(padded, prompt))
        mask = [0] * padded + [1] * (12 - padded)
        row = {"input_ids": ids, "labels": labels + ids[len(labels) :], "attention_mask": mask}
        data.append({key: value[:longest] for key, value in row.items()})
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
    bias = torch.zeros_like(mask, dtype=scores.dtype)
    weights = (scores + bias.masked_fill(~mask, how.get("masked", float("-inf")))).softmax(-1)
    weights = weights.nan_to_num() if how.get("zeroed") else weights
    return (weights @ value).transpose(1, 2), weights


def use(attention: str, function: Any) -> None:
    """Let models find an attention of one's own by its name."""
    AttentionInterface.register(attention, function)
    AttentionMaskInterface.register(attention, sdpa_mask)


def build(model: Any, data: Any, *, precision: str = "", **settings: Any) -> Trainer:
    """Return a Trainer of four steps, one row each."""
    quiet: dict[str, Any] = {"report_to": "none", "save_strategy": "no", "disable_tqdm": True}
    few = {"max_steps": 4, "per_device_train_batch_size": 1, "logging_steps": 1}
    chosen = {precision: True} if precision else {}
    arguments = TrainingArguments("out", **quiet | few | chosen | settings)
    return Trainer(model, arguments, train_dataset=data)
