"""compute_loss of a subclass does not take the count of tokens that the Trainer hands over."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import OldStepTrainer, OldTrainer, token_mean
from proof_steps import (
    Ignoring,
    NewStepTrainer,
    compared,
    on_page,
    overridden,
    trainer,
    without_factor,
)
from transformers import Seq2SeqTrainer, Trainer

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet


def shortened(cls: Any, **named: Any) -> dict[str, Any]:
    """Train on two ranks, and look whether the step is too short."""
    seen = compared(trainer(cls, 2, ranks=2, **named), token_mean)
    return {"found": seen["ratio"] < 0.75, **seen}


@reproduce()
def old_signature() -> dict[str, Any]:
    """The signature of releases before 4.46."""
    return compared(trainer(OldTrainer), token_mean)


@fix("loss-func", control="old-signature")
def given_as_function() -> dict[str, Any]:
    """The loss of the page, as an argument of the Trainer itself."""
    return compared(trainer(Trainer, compute_loss_func=on_page("loss")["my_loss"]), token_mean)


@fix("method", control="old-signature")
def overridden_anew() -> dict[str, Any]:
    """The subclass of the page."""
    return compared(trainer(overridden()), token_mean)


@reproduce()
def old_training_step() -> dict[str, Any]:
    """Another method with the signature of old."""
    return compared(trainer(OldStepTrainer))


@fix("other-methods", control="old-training-step")
def new_training_step() -> dict[str, Any]:
    """The signature of the page, handed on."""
    return compared(trainer(NewStepTrainer))


@detect(found=True, ranks=2)
def without_processes() -> dict[str, Any]:
    """On two ranks the count is that of both, and gradients are averaged."""
    return shortened(without_factor())


@fix("method", control="without-processes", ranks=2)
def with_processes() -> dict[str, Any]:
    """The subclass of the page."""
    return shortened(overridden())


@fix("loss-func", control="without-processes", ranks=2)
def function_on_two_ranks() -> dict[str, Any]:
    """The Trainer has the factor."""
    return shortened(Trainer, compute_loss_func=on_page("loss")["my_loss"])


@non_fix("ignore-it", control="old-signature")
def ignored() -> dict[str, Any]:
    """The argument is taken, and the mean is over the part of the batch at hand."""
    return compared(trainer(Ignoring), token_mean)


@detect(found=False)
def librarys_own() -> dict[str, Any]:
    """No method of a trainer of the library is outdated."""
    return {"found": bool(snippet("outdated", trainer=trainer())["outdated"](Seq2SeqTrainer))}


if __name__ == "__main__":
    main(__file__)
