"""Labels out of bounds: classes, words and padding; and -100 among log-probabilities."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import classify, language_model, loss_of
from proof_labels import sums

from fixbook.recipe import fix, main, non_fix, reproduce


@reproduce()
def more_labels_than_classes() -> dict[str, Any]:
    """Three labels, and the two classes that a classifier has by default."""
    return classify([0, 1, 2])


@reproduce()
def labels_from_one() -> dict[str, Any]:
    """Three classes, whose labels begin at 1."""
    return classify([1, 2, 3], num_labels=3)


@reproduce()
def minus_one_for_padding() -> dict[str, float]:
    """The label of what is to be left out is -1; the loss leaves out -100."""
    return {"loss": loss_of([0, 1, -1])}


@reproduce()
def only_the_inputs_grown() -> dict[str, float]:
    """The new tokens have rows to be read from, and none to be written with."""
    return {"loss": language_model()}


@reproduce()
def minus_100_in_a_gather() -> dict[str, Any]:
    """A gather leaves nothing out."""
    return sums()


@fix("count-the-classes", control="more-labels-than-classes")
def as_many_classes() -> dict[str, Any]:
    """Three classes."""
    return classify([0, 1, 2], num_labels=3)


@fix("count-the-classes", control="labels-from-one")
def labels_from_zero() -> dict[str, Any]:
    """The labels are counted from 0."""
    return classify([1, 2, 3], num_labels=3, first=1)


@reproduce()
def labels_from_minus_one() -> dict[str, Any]:
    """Of three classes, the first is called -1."""
    return classify([-1, 0, 1], num_labels=3)


@fix("count-the-classes", control="labels-from-minus-one")
def minus_one_becomes_zero() -> dict[str, Any]:
    """All labels are one more, and each has a class."""
    return classify([-1, 0, 1], num_labels=3, first=-1)


@fix("say-what-is-not-counted", control="minus-one-for-padding")
def minus_one_ignored() -> dict[str, float]:
    """The loss is told what to leave out."""
    return {"loss": loss_of([0, 1, -1], ignore_index=-1)}


@fix("grow-both-tables", control="only-the-inputs-grown")
def both_sides_grown() -> dict[str, float]:
    """Two rows more on both sides."""
    return {"loss": language_model(outputs=True)}


@fix("clamp-and-mask", control="minus-100-in-a-gather")
def clamped_and_masked() -> dict[str, Any]:
    """Any token in place of -100, and nothing of it in the sum."""
    return sums(as_printed=True)


@non_fix("clamp-the-labels", control="labels-from-one")
def labels_clamped() -> dict[str, Any]:
    """Two classes become one."""
    return classify([1, 2, 3], num_labels=3, bad="clamp")


@non_fix("drop-the-labels", control="labels-from-one")
def labels_dropped() -> dict[str, Any]:
    """The last class is never trained, and never predicted."""
    return classify([1, 2, 3], num_labels=3, bad="drop")


if __name__ == "__main__":
    main(__file__)
