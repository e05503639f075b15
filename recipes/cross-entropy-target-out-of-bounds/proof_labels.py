"""The two checks of the page: the labels of a loss, and sums of log-probabilities."""

from __future__ import annotations

from typing import Any

from failure import answers, classify, log_probs

from fixbook.recipe import detect, snippet


def check(labels: list[int], **config: int) -> dict[str, Any]:
    """Train a classifier inside what the page offers."""
    try:
        snippet("check-targets", model=classify, batch={"labels": labels, **config})
    except IndexError as error:
        return {"found": "classes" in str(error), "said": str(error)}
    return {"found": False, "said": ""}


def sums(*, as_printed: bool = False, **changes: Any) -> dict[str, Any]:
    """Sum log-probabilities, and hold them against the loss as the page does."""
    logits, labels = answers()
    if as_printed:
        total = snippet("clamp-and-mask", logits=logits, labels=labels)["log_probs"]
    else:
        total = log_probs(logits, labels, **changes)
    asked = snippet("check-log-probs", log_probs=total, logits=logits, labels=labels)
    off = (total - asked["wanted"]).abs().max().item()
    return {"found": asked["wrong"], "off_by": off}


@detect(found=True)
def names_the_labels() -> dict[str, Any]:
    """It names labels and classes."""
    return check([1, 2, 3], num_labels=3)


@detect(found=False, control="names-the-labels")
def accepts_labels_from_zero() -> dict[str, Any]:
    """The same labels counted from 0, so that there is a class for each."""
    return check([1, 2, 3], num_labels=3, first=1)


@detect(found=True)
def brackets_wrap_around() -> dict[str, Any]:
    """In brackets, -100 counts from the end."""
    return sums(brackets=True)


@detect(found=True)
def clamped_and_not_masked() -> dict[str, Any]:
    """Token 0 is summed up for every token of the prompt."""
    return sums(clamp=True)
