"""The Trainer drops every column that the model's forward does not name, and none is left."""
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

from proof_columns import looked, trained, weighed

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def texts_not_tokenized() -> dict[str, Any]:
    """The only column is the text."""
    return trained("raw")


@reproduce()
def columns_renamed() -> dict[str, Any]:
    """The ids are there, under another name."""
    return trained("renamed")


@reproduce()
def model_wrapped() -> dict[str, Any]:
    """The columns are right, and the wrapper's forward names none of them."""
    return trained("tokenized", wrap=True)


@reproduce()
def list_of_texts() -> dict[str, Any]:
    """With a list instead of a Dataset the collator drops the keys."""
    return trained("list")


@reproduce()
def collator_of_ones_own() -> dict[str, Any]:
    """A collator that tokenizes never sees the texts."""
    return trained("raw", change="collate")


@fix("tokenize", control="texts-not-tokenized")
def texts_tokenized() -> dict[str, Any]:
    """The snippet makes ids of the texts."""
    return trained("raw", change="tokenize")


@fix("rename", control="columns-renamed")
def columns_named_as_in_forward() -> dict[str, Any]:
    """The names of forward."""
    return trained("renamed", change="rename")


@fix("own-collator", control="collator-of-ones-own")
def texts_for_the_collator() -> dict[str, Any]:
    """It gets the texts, and makes ids of them."""
    return trained("raw", change="collate", remove_unused_columns=False)


@fix("unwrap", control="model-wrapped")
def model_itself() -> dict[str, Any]:
    """The Trainer gets the model, and wraps it where it must."""
    return trained("tokenized", wrap=False)


@non_fix("keep-columns", control="texts-not-tokenized")
def texts_kept() -> dict[str, Any]:
    """A text is no input of a model."""
    return trained("raw", remove_unused_columns=False)


@non_fix("keep-columns", control="columns-renamed")
def other_names_kept() -> dict[str, Any]:
    """Forward takes any name, and uses the ones it knows."""
    return trained("renamed", remove_unused_columns=False)


@non_fix("keep-columns", control="model-wrapped")
def wrapped_and_kept() -> dict[str, Any]:
    """It trains, by another loss."""
    return trained("tokenized", wrap=True, remove_unused_columns=False)


@detect(found=True)
def finds_the_wrapper() -> dict[str, Any]:
    """No column is used."""
    return looked(wrap=True)


@detect(found=False, control="finds-the-wrapper")
def accepts_the_model() -> dict[str, Any]:
    """Two are."""
    return looked(wrap=False)


@detect(found=True)
def weights_dropped() -> dict[str, Any]:
    """A column of one's own is gone, without a word."""
    return weighed()


@detect(found=False, control="weights-dropped")
def weights_kept() -> dict[str, Any]:
    """Here the setting is the right one."""
    return weighed(remove_unused_columns=False)


if __name__ == "__main__":
    main(__file__)
