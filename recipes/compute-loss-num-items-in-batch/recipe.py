"""compute_loss of a subclass does not take the count of tokens that the Trainer hands over."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0"]
# ///

from __future__ import annotations

from typing import Any

from failure import OldStepTrainer, OldTrainer, row_mean, token_mean
from proof_steps import (
    Ignoring,
    compared,
    on_page,
    overridden,
    trainer,
    without_factor,
)
from transformers import Seq2SeqTrainer, Trainer

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet


class Rows(Ignoring):
    """A loss in which every row counts the same."""

    loss_of = staticmethod(row_mean)


def checked(made: Any, loss_of: Any = token_mean) -> dict[str, Any]:
    """Put the page's check to a trainer, and train for one step."""
    try:
        snippet("scaled", trainer=made)
    except AssertionError as error:
        return {"found": True, "said": str(error), **compared(made, loss_of)}
    return {"found": False, "said": "", **compared(made, loss_of)}


def shortened(cls: Any) -> dict[str, Any]:
    """Train on two ranks, and look whether the step is too short."""
    seen = compared(trainer(cls, 2, ranks=2), token_mean)
    return {"found": seen["ratio"] < 0.75, **seen}


def told(made: Any, name: str = "") -> Any:
    """Tell the Trainer to divide as the page does, or by one attribute alone."""
    if not name:
        return snippet("divide", trainer=made)["trainer"]
    setattr(made, name, False)
    return made


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
    """The method of the page."""
    return compared(trainer(snippet("step")["MyTrainer"]))


@detect(found=True, ranks=2)
def without_processes() -> dict[str, Any]:
    """On two ranks the count is that of both, and gradients are averaged."""
    return shortened(without_factor())


@fix("method", control="without-processes", ranks=2)
def with_processes() -> dict[str, Any]:
    """The subclass of the page."""
    return shortened(overridden())


@non_fix("ignore-it", control="old-signature")
def ignored() -> dict[str, Any]:
    """The argument is taken, and the mean is over the part of the batch at hand."""
    return compared(trainer(Ignoring), token_mean)


@detect(found=True)
def rows_multiplied() -> dict[str, Any]:
    """The same with a loss for which the mean of means is right."""
    return checked(trainer(Rows), row_mean)


@fix("row-mean", control="rows-multiplied")
def rows_divided() -> dict[str, Any]:
    """The Trainer is told to divide."""
    return checked(told(trainer(Rows)), row_mean)


@detect(found=True)
def multiplied() -> dict[str, Any]:
    """The Trainer does not divide, because the model takes the count."""
    return checked(trainer(Ignoring))


@detect(found=True)
def divided_twice() -> dict[str, Any]:
    """The loss is divided by the count, and the Trainer is told to divide as well."""
    return checked(told(trainer(overridden()), "loss_is_scaled_for_ga"))


@detect(found=False, control="multiplied")
def not_accumulated() -> dict[str, Any]:
    """In one part there is nothing to divide."""
    return checked(trainer(Ignoring, 1))


@detect(found=False, control="multiplied")
def told_to_divide() -> dict[str, Any]:
    """The Trainer divides."""
    return checked(told(trainer(Ignoring)))


@detect(found=False, control="divided-twice")
def divided_once() -> dict[str, Any]:
    """The subclass of the page."""
    return checked(trainer(overridden()))


@detect(found=False)
def librarys_own() -> dict[str, Any]:
    """No method of a trainer of the library is outdated."""
    return {"found": bool(snippet("outdated", trainer=trainer())["outdated"](Seq2SeqTrainer))}


if __name__ == "__main__":
    main(__file__)
