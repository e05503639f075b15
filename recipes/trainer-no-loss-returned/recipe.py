"""A Trainer whose model returns no loss: no labels in the batch, or a model that makes none."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0", "datasets==5.2.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_loss import (
    evaluate,
    look_at_sound_ones,
    look_at_text,
    train_classes,
    train_headless,
    train_own,
    train_pairs,
    train_text,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="any")
def text_without_labels() -> dict[str, Any]:
    """A language model, and tokenized texts as they come from the tokenizer."""
    return train_text()


@reproduce(on="any")
def labels_that_are_none() -> dict[str, Any]:
    """A collator that pads labels finds none, and puts None into the batch."""
    return train_text("seq2seq")


@reproduce(on="any")
def labels_of_another_name() -> dict[str, Any]:
    """The column is not named labels: the Trainer drops it."""
    return train_classes()


@reproduce(on="any")
def model_without_a_head() -> dict[str, Any]:
    """AutoModel returns hidden states."""
    return train_headless()


@reproduce(on="any")
def model_of_ones_own() -> dict[str, Any]:
    """It gets labels, and returns scores alone."""
    return train_own()


@reproduce(on="any")
def pairs_without_return_loss() -> dict[str, Any]:
    """CLIP makes a loss of its pairs, and only if it is told to."""
    return train_pairs()


@detect(found=True, on="any")
def finds_no_labels() -> dict[str, Any]:
    """Look at the first batch, where none are."""
    return look_at_text(labels=False)


@detect(found=False, control="finds-no-labels", on="any")
def finds_labels() -> dict[str, Any]:
    """Look at it where the collator makes them."""
    return look_at_text(labels=True)


@detect(found=False, on="any")
def sound_set_ups() -> dict[str, Any]:
    """Look at what trains anyway."""
    return look_at_sound_ones()


@fix("collator", control="text-without-labels", on="any")
def text_with_labels() -> dict[str, Any]:
    """The collator copies the ids."""
    return train_text("page")


@fix("collator", control="labels-that-are-none", on="any")
def collator_replaced() -> dict[str, Any]:
    """The same collator in place of the one that pads labels."""
    return train_text("page")


@fix("labels", control="labels-of-another-name", on="any")
def labels_renamed() -> dict[str, Any]:
    """The column is named labels."""
    return train_classes(rename=True)


@fix("head", control="model-without-a-head", on="any")
def model_with_its_head() -> dict[str, Any]:
    """The class with a head makes a loss of the labels."""
    return train_headless(head=True)


@fix("own-loss", control="model-of-ones-own", on="any")
def model_with_a_loss() -> dict[str, Any]:
    """The page's forward."""
    return train_own(loss=True)


@fix("return-loss", control="pairs-without-return-loss", on="any")
def pairs_with_return_loss() -> dict[str, Any]:
    """The page's collator tells it to."""
    return train_pairs(told=True)


@non_fix("label-names", control="labels-of-another-name", on="any")
def column_named() -> dict[str, Any]:
    """The Trainer keeps it, and the model ignores it."""
    return train_classes(label_names=["target"])


@detect(found=True, on="any")
def evaluated_without_labels() -> dict[str, Any]:
    """No error, and no eval_loss."""
    return evaluate(labels=False)


@detect(found=False, control="evaluated-without-labels", on="any")
def evaluated_with_labels() -> dict[str, Any]:
    """There is one."""
    return evaluate(labels=True)


if __name__ == "__main__":
    main(__file__)
