"""One optimizer step, and how far it is from that of the whole batch at once."""

from __future__ import annotations

from typing import Any

import torch
from failure import OldTrainer, arguments, rows
from torch import nn
from transformers import Trainer

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama


class Ignoring(OldTrainer):
    """Takes what the Trainer hands over, and does not use it."""

    def compute_loss(  # type: ignore[no-untyped-def]
        self,
        model,  # noqa: ANN001
        inputs,  # noqa: ANN001
        return_outputs=False,  # noqa: ANN001, FBT002
        num_items_in_batch=None,  # noqa: ANN001, ARG002
    ) -> Any:
        """Return the mean over the batch."""
        return super().compute_loss(model, inputs, return_outputs)


class NewStepTrainer(Trainer):
    """Takes the argument of training_step that is new, and hands it on."""

    def training_step(  # type: ignore[no-untyped-def]
        self,
        model,  # noqa: ANN001
        inputs,  # noqa: ANN001
        num_items_in_batch=None,  # noqa: ANN001
    ) -> Any:
        """Do what the Trainer does."""
        return super().training_step(model, inputs, num_items_in_batch)


def on_page(name: str) -> Any:
    """Return what a snippet of the page defines; it makes no trainer here."""
    args = arguments(1, use_cpu=device() == "cpu")  # the first arguments choose the backend
    return snippet(name, model=tiny_llama(), args=args, dataset=rows())


def overridden() -> Any:
    """Return the page's subclass."""
    return snippet("method", my_loss=on_page("loss")["my_loss"])["MyTrainer"]


def without_factor() -> Any:
    """Return a subclass that divides by the count, and leaves the other processes out."""
    my_loss = on_page("loss")["my_loss"]

    class Alone(Trainer):
        def compute_loss(  # type: ignore[no-untyped-def]
            self,
            model,  # noqa: ANN001
            inputs,  # noqa: ANN001
            return_outputs=False,  # noqa: ANN001, FBT002
            num_items_in_batch=None,  # noqa: ANN001
        ) -> Any:
            labels = inputs.pop("labels")
            outputs = model(**inputs)
            loss = my_loss(outputs, labels, num_items_in_batch)
            return (loss, outputs) if return_outputs else loss

    return Alone


def step(made: Any) -> Any:
    """Train for one step of SGD with rate 1, and return how the parameters moved."""
    before = nn.utils.parameters_to_vector(made.model.parameters()).detach().clone()
    made.train()
    return nn.utils.parameters_to_vector(made.model.parameters()).detach() - before


def trainer(cls: Any = Trainer, accumulate: int = 4, *, ranks: int = 1, **named: Any) -> Any:
    """Make a trainer of the class."""
    model: Any = tiny_llama()
    args = arguments(accumulate, ranks, **named.pop("options", {}))
    return cls(model, args, train_dataset=rows(), eval_dataset=rows(), **named)


def made(cls: Any = Trainer, accumulate: int = 4, *, ranks: int = 1, **named: Any) -> Any:
    """Make a trainer of the class on this step's device."""
    options = {"use_cpu": device() == "cpu"} | named.pop("options", {})
    return trainer(cls, accumulate, ranks=ranks, options=options, **named)


def compared(one: Any, loss_of: Any = None) -> dict[str, Any]:
    """Compare a trainer's step with that of the same loss on all rows at once.

    Args:
        one: The trainer.
        loss_of: The loss; the model's own if it is left out.

    Returns:
        The loss that was logged, the length of the step and its distance, relative to the other,
        and how far the loss of an evaluation is from that of the library's own Trainer.
    """
    model = tiny_llama().to(device())
    batch = {name: torch.stack([row[name] for row in rows()]) for name in rows()[0]}
    batch = {name: tensor.to(device()) for name, tensor in batch.items()}
    labels = batch["labels"] if loss_of is None else batch.pop("labels")
    outputs = model(**batch)
    whole = outputs.loss if loss_of is None else loss_of(outputs, labels)
    whole.backward()
    wanted = -torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])
    moved = step(one)
    logged = one.state.log_history[0]
    own: Any = Trainer(one.model, one.args, eval_dataset=rows())
    evaluated = [each.evaluate()["eval_loss"] for each in (one, own)]
    measure(accumulated=one.args.gradient_accumulation_steps)
    return {
        "whole_loss": float(whole.detach()),
        "loss": logged["loss"],
        "grad_norm": logged.get("grad_norm"),
        "ratio": float(moved.norm() / wanted.norm()),
        "off": float((moved - wanted).norm() / wanted.norm()),
        "eval_off": abs(evaluated[0] - evaluated[1]),
    }
