"""Methods as they were written for older releases, on one release a step."""

from __future__ import annotations

import inspect
import re
from typing import Any

import transformers
from failure import OldStepTrainer, OldTrainer, token_mean
from proof_steps import Ignoring, compared, trainer

from fixbook.recipe import detect, fix, measure, reproduce, snippet

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
OLDER = ["huggingface_hub==0.36.2", "tokenizers==0.20.3", "datasets==4.8.4", *HTTP]
OLD = ["huggingface_hub==0.36.0", "tokenizers==0.21.4", "datasets==4.8.4", *HTTP]
LAST_4 = ["huggingface_hub==0.36.0", "tokenizers==0.22.1", "datasets==4.8.4", *HTTP]
FIRST_5 = ["huggingface_hub==1.17.0", "tokenizers==0.22.1", "datasets==4.8.4", *HTTP]
ONCE = "an older transformers beside the main one, imported anew"
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
    seen = {way: trainer(Ignoring) for way in ways}
    for way, name in ways.items():
        setattr(seen[way], name or "unused", False)
    ratios = {way: compared(made, token_mean)["ratio"] for way, made in seen.items()}
    return {"found": ratios["attribute"] > 2, **ratios}


@detect(found=False, versions=["transformers==4.45.2", *OLDER], record_once=ONCE)
def asked_4_45() -> dict[str, Any]:
    """The last release whose Trainer hands over nothing more."""
    return ask()


@detect(found=True, versions=["transformers==4.46.1", *OLDER], record_once=ONCE)
def asked_4_46() -> dict[str, Any]:
    """The first that counts tokens; 4.46.0 was withdrawn."""
    return ask()


@detect(found=True, versions=["transformers==4.47.0", *OLD], record_once=ONCE)
def asked_4_47() -> dict[str, Any]:
    """The first that tells log when the training began."""
    return ask()


@detect(found=True, versions=["transformers==4.48.3", *OLD], record_once=ONCE)
def asked_4_48() -> dict[str, Any]:
    """The last of 4.48."""
    return ask()


@detect(found=True, versions=["transformers==4.49.0", *OLD], record_once=ONCE)
def asked_4_49() -> dict[str, Any]:
    """The last whose get_batch_samples knows no device."""
    return ask()


@detect(found=True, versions=["transformers==4.50.3", *OLD], record_once=ONCE)
def asked_4_50() -> dict[str, Any]:
    """The first that knows one, but for patches."""
    return ask()


@detect(found=True, versions=["transformers==4.51.3", *OLD], record_once=ONCE)
def asked_4_51() -> dict[str, Any]:
    """The last whose sampler is not told the data set."""
    return ask()


@detect(found=True, versions=["transformers==4.52.4", *OLD], record_once=ONCE)
def asked_4_52() -> dict[str, Any]:
    """One that tells it."""
    return ask()


@detect(found=True, versions=["transformers==4.57.6", *LAST_4], record_once=ONCE)
def asked_4_57() -> dict[str, Any]:
    """The last of the 4 series."""
    return ask()


@detect(found=True, versions=["transformers==5.0.0", *FIRST_5], record_once=ONCE)
def asked_5_0() -> dict[str, Any]:
    """The first of the 5 series."""
    return ask()


@detect(found=True)
def asked_today() -> dict[str, Any]:
    """Today's."""
    return ask()


@detect(found=True, versions=["transformers==4.57.6", *LAST_4], record_once=ONCE)
def divided_on_4_57() -> dict[str, Any]:
    """Which way of telling the Trainer to divide counts on the last of the 4 series."""
    return divided()


@detect(found=True, versions=["transformers==5.18.0"], record_once=ONCE)
def divided_on_5_18() -> dict[str, Any]:
    """The last release without the attribute."""
    return divided()


@detect(found=False, versions=["transformers==5.19.0"], record_once=ONCE)
def divided_on_5_19() -> dict[str, Any]:
    """The first that has it."""
    return divided()


@reproduce(versions=["transformers==4.46.1", *OLDER], record_once=ONCE)
def old_signature_on_4_46() -> dict[str, Any]:
    """The first release that refuses it."""
    return released()


@fix(
    "release-of-the-script",
    control="old-signature-on-4-46",
    versions=["transformers==4.45.2", *OLDER],
    record_once=ONCE,
)
def older_release() -> dict[str, Any]:
    """The last release that takes it."""
    return released()


def released() -> dict[str, Any]:
    """Train with the old signature on the release installed."""
    measure(release=transformers.__version__)
    return compared(trainer(OldTrainer), token_mean)
