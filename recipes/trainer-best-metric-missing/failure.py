"""A Trainer that keeps the best checkpoint, by a metric that its evaluation may not have."""

from typing import Any

import torch
from datasets import Dataset
from transformers import Trainer, TrainingArguments


class Around(torch.nn.Module):
    """A module around a model."""

    def __init__(self, model: Any) -> None:
        """Keep the model."""
        super().__init__()
        self.model = model


class Wrapper(Around):
    """A model whose forward does not name its labels."""

    def forward(self, **inputs: Any) -> Any:
        """Hand everything on."""
        return self.model(**inputs)


class OwnLabels(Around):
    """A model that makes its labels itself, as one of pairs or of rewards does."""

    def forward(self, input_ids: Any) -> Any:
        """Return a loss all the same."""
        return self.model(input_ids, labels=input_ids)


def data(seed: int, names: tuple[str, ...] = ("input_ids", "labels")) -> Any:
    """Return eight random rows, under each of the names."""
    torch.manual_seed(seed)
    rows = torch.randint(4, 128, (8, 8)).tolist()
    return Dataset.from_list([dict.fromkeys(names, row) for row in rows])


def perplexity(prediction: Any) -> dict[str, float]:
    """Compute a metric of which less is better."""
    logits, labels = (torch.from_numpy(x) for x in prediction)
    loss = torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())
    return {"perplexity": loss.exp().item()}


def make(
    model: Any, classes: Any = None, *, sets: int = 1, given: Any = None, **options: Any
) -> Any:
    """Return a Trainer that evaluates, on one set or on several, and saves after each step."""
    trainer, arguments = classes or (Trainer, TrainingArguments)
    named = ("input_ids",) if isinstance(model, OwnLabels) else ("input_ids", "labels")
    several = {name: data(i + 1, named) for i, name in enumerate("ab")}
    rows = {"train_dataset": data(0, named), "eval_dataset": several if sets > 1 else several["a"]}
    every: dict[str, Any] = {"eval_strategy": "steps", "save_strategy": "steps"}
    every |= {"eval_steps": 1, "save_steps": 1, "max_steps": 3, "learning_rate": 1e-2}
    every |= {"report_to": [], "disable_tqdm": True, "remove_unused_columns": False}
    args = arguments("out", **every | {"load_best_model_at_end": True} | options)
    return trainer(model, args, **rows, **(given or {}))
