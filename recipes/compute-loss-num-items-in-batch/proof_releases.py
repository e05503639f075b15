"""Methods as they were written for older releases, put to the release installed."""

from __future__ import annotations

import inspect
import re
from typing import Any

import transformers
from failure import OldStepTrainer, OldTrainer, token_mean
from proof_steps import Ignoring, compared, trainer

from fixbook.recipe import device, measure, snippet

ADDED = (
    "compute_loss(…, num_items_in_batch)",
    "training_step(…, num_items_in_batch)",
    "log(…, start_time)",
    "_maybe_log_save_evaluate(…, start_time)",
    "get_batch_samples(…, device)",
    "_get_train_sampler(…, train_dataset)",
)
REFUSED = re.compile(
    r"positional argument|unexpected keyword argument|has no attribute 'tokenizer'"
)


def overrides() -> dict[str, Any]:
    """Return a trainer for each method, with the signature of old and nothing done in it."""

    class Log(transformers.Trainer):
        def log(self, logs: Any) -> Any:  # type: ignore[override]
            return super().log(logs)

    class Saves(transformers.Trainer):
        def _save_checkpoint(self, model: Any, trial: Any, metrics: Any = None) -> Any:
            return super()._save_checkpoint(model, trial, metrics=metrics)  # type: ignore[call-arg]

    class Evaluates(transformers.Trainer):
        def _maybe_log_save_evaluate(  # type: ignore[override]
            self, _loss: Any, _norm: Any, _model: Any, _trial: Any, _epoch: Any, _ignored: Any
        ) -> None:
            """Do nothing."""

    class Samples(transformers.Trainer):
        def get_batch_samples(self, epoch_iterator: Any, num_batches: Any) -> Any:  # type: ignore[override]
            return [next(epoch_iterator) for _ in range(num_batches)], None

    class Sampler(transformers.Trainer):
        def _get_train_sampler(self) -> Any:  # type: ignore[override]
            return super()._get_train_sampler()

    class Tokenizer(transformers.Trainer):
        def get_train_dataloader(self) -> Any:
            assert self.tokenizer is None  # type: ignore[attr-defined]
            return super().get_train_dataloader()

    return {
        "compute_loss(model, inputs, return_outputs)": OldTrainer,
        "training_step(model, inputs)": OldStepTrainer,
        "log(logs)": Log,
        "_save_checkpoint(model, trial, metrics)": Saves,
        "_maybe_log_save_evaluate(…, ignore_keys_for_eval)": Evaluates,
        "get_batch_samples(epoch_iterator, num_batches)": Samples,
        "_get_train_sampler()": Sampler,
        "self.tokenizer": Tokenizer,
    }


def does(cls: Any) -> str:
    """Tell whether a trainer of the class trains, logs and saves."""
    try:
        trainer(cls, options={"save_strategy": "steps", "save_steps": 1}).train()
    except (TypeError, AttributeError) as error:
        if not REFUSED.search(str(error)):
            raise
        return "refuses"
    return "takes"


def ask() -> dict[str, Any]:
    """Ask the installed release about every method, and the page's check about the first."""
    rows = [{"name": name, "does": does(cls)} for name, cls in overrides().items()]
    rows += [{"name": name, "does": says(known(name))} for name in ADDED]
    its = inspect.signature(transformers.Trainer).parameters
    rows += [{"name": "self.processing_class", "does": says("processing_class" in its)}]
    its = inspect.signature(transformers.Trainer._save_checkpoint).parameters
    rows += [{"name": "_save_checkpoint(model, trial)", "does": says("metrics" not in its)}]
    found = snippet("outdated", trainer=trainer(OldTrainer))["outdated"](OldTrainer)
    return {"names": rows, "found": bool(found)}


def says(true: bool) -> str:  # noqa: FBT001
    """Put it as the table does."""
    return "takes" if true else "refuses"


def known(name: str) -> bool:
    """Tell whether the Trainer of the installed release has this method with this argument."""
    method, _, argument = name.rstrip(")").partition("(…, ")
    own = getattr(transformers.Trainer, method, None)
    return own is not None and argument in inspect.signature(own).parameters


def divided() -> dict[str, Any]:
    """Tell the Trainer to divide in each of two ways, and in none; how long is the step?"""
    ways = {"untold": "", "attribute": "loss_is_scaled_for_ga", "flag": "model_accepts_loss_kwargs"}
    seen = {way: trainer(Ignoring, options={"use_cpu": device() == "cpu"}) for way in ways}
    for way, name in ways.items():
        setattr(seen[way], name or "unused", False)
    ratios = {way: compared(made, token_mean)["ratio"] for way, made in seen.items()}
    return {"found": ratios["attribute"] > 2, **ratios}


def released() -> dict[str, Any]:
    """Train with the old signature on the release installed."""
    measure(release=transformers.__version__)
    return compared(trainer(OldTrainer, options={"use_cpu": device() == "cpu"}), token_mean)
