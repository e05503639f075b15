"""A Trainer that keeps the best checkpoint, by a metric that its evaluation may not have."""

from typing import Any

import torch
from datasets import Dataset
from transformers import Trainer, TrainingArguments


class Wrapper(torch.nn.Module):
    """A model whose forward does not name its labels."""

    def __init__(self, model: Any) -> None:
        """Keep the model."""
        super().__init__()
        self.model = model

    def forward(self, **inputs: Any) -> Any:
        """Hand everything on."""
        return self.model(**inputs)


def data(seed: int) -> Any:
    """Return eight random rows."""
    torch.manual_seed(seed)
    rows = torch.randint(4, 128, (8, 8)).tolist()
    return Dataset.from_list([{"input_ids": row, "labels": row} for row in rows])


def perplexity(prediction: Any) -> dict[str, float]:
    """Compute a metric of which less is better."""
    logits, labels = (torch.from_numpy(x) for x in prediction)
    loss = torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())
    return {"perplexity": loss.exp().item()}


def make(model: Any, *, sets: int = 1, metrics: Any = None, **options: Any) -> Any:
    """Return a Trainer that evaluates, on one set or on several, and saves after each step."""
    evaluated = data(1) if sets == 1 else {name: data(i + 1) for i, name in enumerate("ab")}
    every: dict[str, Any] = {"eval_strategy": "steps", "save_strategy": "steps"}
    every |= {"eval_steps": 1, "save_steps": 1, "max_steps": 3, "learning_rate": 1e-2}
    quiet: dict[str, Any] = {"report_to": [], "use_cpu": True, "disable_tqdm": True}
    options = {"load_best_model_at_end": True, "remove_unused_columns": False} | options
    args = TrainingArguments("out", **every, **quiet, **options)
    sets_of_rows = {"train_dataset": data(0), "eval_dataset": evaluated}
    return Trainer(model, args, compute_metrics=metrics, **sets_of_rows)
