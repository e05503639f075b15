"""The loss under gradient accumulation: who divides it, and the page's check for that."""

from __future__ import annotations

from typing import Any

from failure import row_mean, token_mean
from proof_steps import Ignoring, compared, overridden, step, trainer

from fixbook.recipe import detect, fix, snippet


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


def multiplies(made: Any) -> bool:
    """Tell whether the page's check stops this trainer."""
    try:
        snippet("scaled", trainer=made)
    except AssertionError:
        return True
    return False


def told(made: Any, name: str = "") -> Any:
    """Tell the Trainer to divide as the page does, or by one attribute alone."""
    if not name:
        return snippet("divide", trainer=made)["trainer"]
    setattr(made, name, False)
    return made


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
def hidden_by_adamw() -> dict[str, Any]:
    """Its first step is as long whatever the length of the gradient."""
    adamw = {"optim": "adamw_torch", "learning_rate": 1e-3, "max_grad_norm": 1.0}
    untold, divided = (trainer(Ignoring, options=adamw) for _ in range(2))
    seen = {"found": multiplies(untold)}
    moved, wanted = step(untold), step(told(divided))
    return {"apart": float((moved - wanted).norm() / wanted.norm()), **seen}


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
