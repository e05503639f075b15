"""What is measured of a training that keeps its best checkpoint."""

from __future__ import annotations

from typing import Any

from failure import OwnLabels, Wrapper, make

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_llama


def kept(trainer: Any, key: str) -> dict[str, Any]:
    """Return the step that was kept, and those with the lowest and the highest value."""
    values = {log["step"]: log[key] for log in trainer.state.log_history if key in log}
    lowest, highest = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
    step = int(trainer.state.best_model_checkpoint.rsplit("-", 1)[1])
    return {"kept": step, "lowest": lowest, "highest": highest, "values": len(values)}


def train(model: Any, **options: Any) -> Any:
    """Train, and return the Trainer."""
    trainer = make(model, **options)
    trainer.train()
    return trainer


def best(*, compute: bool = False, **options: Any) -> dict[str, Any]:
    """Train a tiny model, with the page's function of a metric or without."""
    metrics = snippet("compute-it")["compute_metrics"] if compute else None
    trainer = train(tiny_llama(), metrics=metrics, **options)
    return kept(trainer, "eval_" + trainer.args.metric_for_best_model.removeprefix("eval_"))


def wrapped(**options: Any) -> dict[str, Any]:
    """Train a wrapper around it."""
    trainer = make(Wrapper(tiny_llama()), **options)
    measure(label_names=trainer.label_names)
    trainer.train()
    return kept(trainer, "eval_loss")


def unlabelled(*, counted: bool = False) -> dict[str, Any]:
    """Train a model whose rows have no labels."""
    trainer = make(OwnLabels(tiny_llama()))
    if counted:
        snippet("count-the-loss", trainer=trainer)
    measure(label_names=trainer.label_names, can_return_loss=trainer.can_return_loss)
    trainer.train()
    return kept(trainer, "eval_loss")


def asked(model: Any, **options: Any) -> dict[str, Any]:
    """Evaluate before training, as the page does."""
    trainer = make(model, **options)
    try:
        snippet("evaluate-first", trainer=trainer)
    except AssertionError as error:
        return {"found": True, "said": str(error)}
    return {"found": False, "said": ""}


def looked(**options: Any) -> dict[str, Any]:
    """Put the page's question to a training."""
    trainer = train(tiny_llama(), **options)
    measure(**kept(trainer, "eval_perplexity"))
    try:
        snippet("check", trainer=trainer, key="eval_perplexity", lower_is_better=True)
    except AssertionError as error:
        return {"found": True, "said": str(error)}
    return {"found": False, "said": ""}
