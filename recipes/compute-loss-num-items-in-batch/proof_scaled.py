"""The loss under gradient accumulation: who divides it, and the page's check for that."""

from __future__ import annotations

from typing import Any

from failure import OldTrainer, Passing, arguments, row_mean, rows, token_mean
from proof_steps import Ignoring, compared, made, step
from transformers import Trainer

from fixbook.recipe import device, snippet
from fixbook.recipe.helpers import tiny_llama


class Rows(Ignoring):
    """A loss in which every row counts the same, with the signature of today."""

    loss_of = staticmethod(row_mean)


class OldRows(OldTrainer):
    """The same with the signature of old."""

    loss_of = staticmethod(row_mean)


def checked(one: Any, loss_of: Any = token_mean) -> dict[str, Any]:
    """Train for one step, and put the page's check to the trainer."""
    seen = compared(one, loss_of)
    try:
        snippet("scaled", trainer=one)
    except AssertionError as error:
        return {"found": True, "said": str(error), **seen}
    return {"found": False, "said": "", **seen}


def multiplies(one: Any) -> bool:
    """Tell whether the page's check stops this trainer."""
    try:
        snippet("scaled", trainer=one)
    except AssertionError:
        return True
    return False


def told(one: Any, *names: str) -> Any:
    """Tell the Trainer to divide, by attributes of it."""
    for name in names:
        setattr(one, name, False)
    return one


def hidden() -> dict[str, Any]:
    """Compare the first step of AdamW with that of a Trainer that divides."""
    adamw = {"optim": "adamw_torch", "learning_rate": 1e-3, "max_grad_norm": 1.0}
    untold, divided = (made(Ignoring, options=adamw) for _ in range(2))
    seen = {"found": multiplies(untold)}
    moved, wanted = step(untold), step(told(divided, "loss_is_scaled_for_ga"))
    return {"apart": float((moved - wanted).norm() / wanted.norm()), **seen}


def wrapped(cls: Any) -> Any:
    """Run the page's lines around a class that is left as it is."""
    options = arguments(4, use_cpu=device() == "cpu")
    given = {"model": tiny_llama(), "args": options, "dataset": rows()}
    one = snippet("wrap", OldTrainer=cls, **given)["trainer"]
    one.eval_dataset = rows()
    return one


def refused(*, mended: bool) -> dict[str, Any]:
    """Train a model that hands on what it is given, with the page's line or without it."""
    options = arguments(4, use_cpu=device() == "cpu", remove_unused_columns=False)
    model, dataset = Passing(tiny_llama()), rows()
    if mended:
        one = snippet("model", model=model, args=options, dataset=dataset)["trainer"]
    else:
        one = Trainer(model, options, train_dataset=dataset)  # type: ignore[arg-type]
    moved, whole = step(one), step(made(accumulate=1))
    return {"found": multiplies(one), "off": float((moved - whole).norm() / whole.norm())}


def shortened(cls: Any, **named: Any) -> dict[str, Any]:
    """Train on two ranks, and look whether the step is too short."""
    options = {"average_tokens_across_devices": True}  # older releases have it off
    seen = compared(made(cls, 2, ranks=2, options=options, **named), token_mean)
    return {"found": seen["ratio"] < 0.75, **seen}


def outdated(*classes: Any) -> dict[str, Any]:
    """Ask the page's check for methods that lack an argument."""
    ask = snippet("outdated", trainer=made())["outdated"]
    return {"found": any(ask(cls) for cls in classes), "asked": len(classes)}
