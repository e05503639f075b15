"""Cross entropy gets another number of labels than of logits: which, the two numbers tell."""
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

from failure import SHORT, per_token
from proof_sizes import (
    learn,
    look_at,
    look_at_sound_ones,
    train_classes,
    train_collated,
    train_hot,
    train_tokens,
)

from fixbook.recipe import detect, fix, main, reproduce


@reproduce(on="any")
def answers_as_labels() -> dict[str, Any]:
    """The prompt is the input, the answer alone the labels."""
    return learn()


@reproduce(on="any")
def classes_for_a_language_model() -> dict[str, Any]:
    """A class for each text, and logits for each token."""
    return train_classes()


@reproduce(on="any")
def classes_written_over() -> dict[str, Any]:
    """The collator writes the ids of the text over its class."""
    return train_collated()


@reproduce(on="any")
def tokens_for_a_classifier() -> dict[str, Any]:
    """A class for each token, and logits for each text."""
    return train_tokens()


@reproduce(on="any")
def zeros_and_ones() -> dict[str, Any]:
    """A class for each text as integers, one of them 1."""
    return train_hot()


@detect(found=True, on="any")
def finds_short_labels() -> dict[str, Any]:
    """Look at a batch with fewer labels than tokens."""
    return look_at(per_token(SHORT))


@detect(found=False, control="finds-short-labels", on="any")
def finds_one_length() -> dict[str, Any]:
    """Look at one with a label for each token."""
    return look_at(per_token())


@detect(found=False, on="any")
def sound_set_ups() -> dict[str, Any]:
    """Look at each head with its labels."""
    return look_at_sound_ones()


@fix("one-length", control="answers-as-labels", on="any")
def labels_of_one_length() -> dict[str, Any]:
    """Prompt and answer are the input, and the labels hide the prompt."""
    return learn("page")


@fix("per-text", control="classes-for-a-language-model", on="any")
def classes_for_a_classifier() -> dict[str, Any]:
    """The head for texts."""
    return train_classes(head=True)


@fix("padding", control="classes-written-over", on="any")
def classes_kept() -> dict[str, Any]:
    """A collator that leaves the labels alone."""
    return train_collated(padded=True)


@fix("per-token", control="tokens-for-a-classifier", on="any")
def tokens_for_their_head() -> dict[str, Any]:
    """The head for tokens."""
    return train_tokens(head=True)


@fix("floats", control="zeros-and-ones", on="any")
def zeros_and_ones_as_floats() -> dict[str, Any]:
    """Several classes at once are floats."""
    return train_hot(floats=True)


@detect(found=False, on="any")
def both_padded() -> dict[str, Any]:
    """Prompt and answer are padded to one length, and nothing raises."""
    return learn("padded")


if __name__ == "__main__":
    main(__file__)
