"""What is measured of a training that keeps its best checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from failure import OwnLabels, Wrapper, make

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable


def kept(trainer: Any, key: str) -> dict[str, Any]:
    """Return the step that was kept, and those with the lowest and the highest value."""
    values = {log["step"]: log[key] for log in trainer.state.log_history if key in log}
    lowest, highest = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
    step = int(trainer.state.best_model_checkpoint.rsplit("-", 1)[1])
    return {"kept": step, "lowest": lowest, "highest": highest, "values": len(values)}


def put(question: str, trainer: Any, **names: Any) -> dict[str, Any]:
    """Put a question of the page to a Trainer."""
    try:
        snippet(question, trainer=trainer, **names)
    except AssertionError as error:
        return {"found": True, "said": str(error)}
    return {"found": False, "said": ""}


def trainer_of(model: Any, *classes: Any, **options: Any) -> Any:
    """Make a Trainer on this step's device."""
    return make(model, classes, use_cpu=device() == "cpu", **options)


def asked(model: Any, **options: Any) -> dict[str, Any]:
    """Evaluate before training, as the page does."""
    return put("evaluate-first", trainer_of(model, **options))


def train(made: Callable[[], Any]) -> dict[str, Any]:
    """Ask one Trainer before training, train another, and see what was kept."""
    measure(**put("evaluate-first", made()))
    trainer = made()
    trainer.train()
    return kept(trainer, "eval_" + trainer.args.metric_for_best_model.removeprefix("eval_"))


def best(*, compute: bool = False, **options: Any) -> dict[str, Any]:
    """Train a tiny model, with the page's function of a metric or without."""
    given = {"compute_metrics": snippet("compute-it")["compute_metrics"]} if compute else {}
    return train(lambda: trainer_of(tiny_llama(), given=given, **options))


def wrapped(**options: Any) -> dict[str, Any]:
    """Train a wrapper around it."""

    def made() -> Any:
        trainer = trainer_of(Wrapper(tiny_llama()), **options)
        measure(label_names=trainer.label_names)
        return trainer

    return train(made)


def unlabelled(*, counted: bool = False) -> dict[str, Any]:
    """Train a model whose rows have no labels."""

    def made() -> Any:
        trainer = trainer_of(OwnLabels(tiny_llama()))
        if counted:
            snippet("count-the-loss", trainer=trainer)
        measure(label_names=trainer.label_names, can_return_loss=trainer.can_return_loss)
        return trainer

    return train(made)


def of_trl() -> dict[str, Any]:
    """Keep the best by a metric that TRL's trainer logs."""
    from trl import SFTConfig, SFTTrainer

    by = {"metric_for_best_model": "mean_token_accuracy", "bf16": False}
    given = {"processing_class": tiny_tokenizer()}
    return train(lambda: trainer_of(tiny_llama(), SFTTrainer, SFTConfig, given=given, **by))


def looked(metric: Any, **options: Any) -> dict[str, Any]:
    """Put the page's other question to a training that is over."""
    trainer = trainer_of(tiny_llama(), given={"compute_metrics": metric}, **options)
    trainer.train()
    measure(**kept(trainer, "eval_perplexity"))
    return put("check", trainer, key="eval_perplexity", lower_is_better=True)
