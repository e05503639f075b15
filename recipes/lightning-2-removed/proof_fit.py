"""The script on the installed release, by its own lines or by those of the page."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import failure
import pytorch_lightning as pl  # type: ignore[import-not-found]
import torch

from fixbook.recipe import measure, snippet


def fitted(model: Any, **options: Any) -> Any:
    """Train one epoch; measure which release does it."""
    measure(lightning=pl.__version__)
    failure.trainer(accelerator="cpu", **options).fit(model, failure.rows())
    return model


def mended(name: str) -> Any:
    """Return the model with the page's methods in place of its own."""
    methods = snippet(name, torch=torch)
    taken = {key: one for key, one in methods.items() if key.startswith(("training", "on_train"))}
    return type("Mended", (failure.Model,), taken)()


def arguments(*, page: bool = False) -> dict[str, Any]:
    """Make the trainer, with the argument of Lightning 1 or by the page's lines."""
    measure(lightning=pl.__version__)
    model = failure.Model()
    if page:
        snippet("trainer", pl=pl, model=model, rows=failure.rows())
    else:
        failure.trainer(gpus=torch.cuda.device_count()).fit(model, failure.rows())
    return {"weights": float(model.layer.weight.abs().sum().detach())}


def epoch_end(*, page: bool = False, renamed: bool = False) -> dict[str, Any]:
    """Take the mean at the end of an epoch: by the old hook, renamed, or by the page's lines."""
    if page:
        return {"loss": float(fitted(mended("hooks")).trainer.callback_metrics["train_loss"])}
    measure(renamed=renamed)
    model = fitted(failure.Renamed() if renamed else failure.MeanOfEpoch())
    return {"loss": float(model.losses[0])}


def penalty(*, page: bool = False) -> dict[str, Any]:
    """Train with the penalty; without it the weights hardly move."""
    model = fitted(mended("in-step") if page else failure.Penalty())
    weights = float(model.layer.weight.abs().sum().detach())
    return {"found": weights > 3, "weights": weights}


def several(*, page: bool = False) -> dict[str, Any]:
    """Train with two optimizers, by the page's method or without one."""
    taken = snippet("several")["training_step"] if page else failure.Model.training_step
    model = type("Gan", (failure.Several,), {"training_step": taken})()
    model.automatic_optimization = not page
    fitted(model)
    return {"moved": float(model.layer.weight.sum().detach()) < 4}


def rank_zero(*, page: bool = False) -> dict[str, Any]:
    """Import rank_zero_only, by the page's line or from where it was."""
    measure(lightning=pl.__version__)
    taken = snippet("moved")["rank_zero_only"] if page else failure.rank_zero_only()
    return {"callable": callable(taken)}


def plugin(*, page: bool = False) -> dict[str, Any]:
    """Import what holds DDP's settings, by the page's line or from where it was."""
    measure(lightning=pl.__version__)
    taken = snippet("moved")["DDPStrategy"] if page else failure.ddp_plugin()
    return {"callable": callable(taken)}


def options() -> dict[str, Any]:
    """Add the Trainer's arguments to a command line."""
    measure(lightning=pl.__version__)
    parser = pl.Trainer.add_argparse_args(ArgumentParser())
    return {"options": len(vars(parser.parse_args([])))}


def callback() -> dict[str, Any]:
    """Train with the callback that writes a file."""
    fitted(failure.Model(), callbacks=[failure.EpochsInFile()])
    return {"found": not Path("epochs.txt").exists()}


def looked(*, page: bool = False) -> dict[str, Any]:
    """Let the page's lines look at a model and its callbacks."""
    measure(lightning=pl.__version__)
    model = mended("hooks") if page else failure.Penalty()
    used = pl.Trainer() if page else failure.trainer(callbacks=[failure.EpochsInFile()])
    dead = snippet("look", model=model, trainer=used)["dead"]
    return {"found": bool(dead), "dead": ", ".join(dead)}
