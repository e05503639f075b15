"""Labels out of bounds: classes, words and padding; and -100 among log-probabilities."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "datasets==5.2.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import classify, language_model, loss_of
from proof_labels import check, check_sound_models, counted, gathered, grown, left_out, numbered

from fixbook.recipe import detect, fix, main, non_fix, reproduce

MASK = [[[0, 255], [255, 0]]]


@reproduce(on="any")
def more_labels_than_classes() -> dict[str, Any]:
    """Three labels, and the two classes that a classifier has by default."""
    return classify([0, 1, 2])


@reproduce(on="any")
def count_set_too_late() -> dict[str, Any]:
    """The number of classes is set in the configuration of a model that has its head."""
    return classify([0, 1, 2], late=3)


@reproduce(on="any")
def labels_from_one() -> dict[str, Any]:
    """Three classes, whose labels begin at 1."""
    return classify([1, 2, 3], num_labels=3)


@reproduce(on="any")
def labels_from_minus_one() -> dict[str, Any]:
    """Of three classes, the first is called -1."""
    return classify([-1, 0, 1], num_labels=3)


@reproduce(on="any")
def minus_one_for_unlabelled() -> dict[str, float]:
    """The label of what is to be left out is -1; the loss leaves out -100."""
    return loss_of([0, 1, -1])


@reproduce(on="any")
def void_pixels() -> dict[str, float]:
    """A mask of four pixels, of which one is 255."""
    return loss_of([[[0, 1], [4, 255]]])


@reproduce(on="any")
def foreground_of_255() -> dict[str, float]:
    """A mask as an image holds it: background 0, foreground 255."""
    return loss_of(MASK)


@reproduce(on="any")
def only_the_inputs_grown() -> dict[str, float]:
    """The new tokens have rows to be read from, and none to be written with."""
    return language_model()


@reproduce(on="any")
def minus_100_in_a_gather() -> dict[str, Any]:
    """A gather leaves nothing out."""
    return gathered()


@detect(found=True, on="any")
def names_the_labels() -> dict[str, Any]:
    """It names labels and classes."""
    return check([1, 2, 3], num_labels=3)


@detect(found=False, control="names-the-labels", on="any")
def accepts_counted_labels() -> dict[str, Any]:
    """The same labels, counted as the page does."""
    return check([1, 2, 3], num_labels=3, prepare=counted)


@detect(found=False)
def accepts_sound_models() -> dict[str, Any]:
    """Nothing is said of the libraries' usual models and labels."""
    return check_sound_models()


@detect(found=True, on="any")
def brackets_wrap_around() -> dict[str, Any]:
    """In brackets, -100 counts from the end."""
    return gathered(brackets=True)


@detect(found=True, on="any")
def clamped_and_not_masked() -> dict[str, Any]:
    """Token 0 is summed up for every token of the prompt."""
    return gathered(clamp=True)


@fix("count-the-classes", control="labels-from-one", on="any")
def one_becomes_zero() -> dict[str, Any]:
    """The labels are counted, and the head has as many classes."""
    return classify([1, 2, 3], num_labels=3, prepare=counted)


@fix("count-the-classes", control="labels-from-minus-one", on="any")
def minus_one_becomes_zero() -> dict[str, Any]:
    """All labels are one more, and each has a class."""
    return classify([-1, 0, 1], num_labels=3, prepare=counted)


@fix("count-the-classes", control="more-labels-than-classes", on="any")
def as_many_classes() -> dict[str, Any]:
    """Three classes."""
    return classify([0, 1, 2], prepare=counted)


@fix("leave-out-the-unlabelled", control="minus-one-for-unlabelled", on="any")
def minus_one_left_out() -> dict[str, float]:
    """The loss leaves out -1."""
    return loss_of([0, 1, -1], leave_out=left_out(-1))


@fix("leave-out-the-unlabelled", control="void-pixels", on="any")
def void_pixels_left_out() -> dict[str, float]:
    """The loss leaves out 255."""
    return loss_of([[[0, 1], [4, 255]]], leave_out=left_out(255))


@fix("number-the-mask", control="foreground-of-255", on="any")
def foreground_becomes_one() -> dict[str, float]:
    """Grey values become classes, and the foreground is one of them."""
    mask = numbered(MASK)
    return loss_of(mask) | {"foreground": mask[0][0][1]}


@detect(found=True, on="any")
def nothing_is_labelled() -> dict[str, Any]:
    """A batch without a label, as in a test split, has the mean of nothing as its loss."""
    loss = loss_of([-1, -1, -1], leave_out=left_out(-1))["loss"]
    return {"found": loss != loss, "loss": loss}  # noqa: PLR0124


@fix("grow-both-tables", control="only-the-inputs-grown", on="any")
def both_sides_grown() -> dict[str, float]:
    """Two rows more on both sides."""
    return language_model(grow=grown)


@fix("clamp-and-mask", control="minus-100-in-a-gather", on="any")
def clamped_and_masked() -> dict[str, Any]:
    """Any token in place of -100, and nothing of it in the sum."""
    return gathered(as_printed=True)


@non_fix("clamp-the-labels", control="labels-from-one", on="any")
def labels_clamped() -> dict[str, Any]:
    """Two classes become one."""
    return classify([1, 2, 3], num_labels=3, bad="clamp")


@non_fix("drop-the-labels", control="labels-from-one", on="any")
def labels_dropped() -> dict[str, Any]:
    """The last class is never trained, and never predicted."""
    return classify([1, 2, 3], num_labels=3, bad="drop")


if __name__ == "__main__":
    main(__file__)
