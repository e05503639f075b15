"""Rows of unequal length that a batch cannot hold: what raises, what pads, and what is silent."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "datasets==5.2.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import EVEN, pad_all, rows
from proof_batch import (
    classed,
    for_language_models,
    for_seq2seq,
    loaded,
    look,
    own_collator,
    padded,
    transposed,
    usual_collators,
    with_padding,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce
from fixbook.recipe.helpers import tiny_tokenizer


@reproduce()
def labels_left_ragged() -> dict[str, Any]:
    """The collator for language models pads what the tokenizer knows, and labels are not that."""
    return padded(for_language_models)


@reproduce()
def default_collate() -> dict[str, Any]:
    """PyTorch's collate function stacks, and pads nothing."""
    return loaded(None)


@reproduce()
def default_collate_of_lists() -> dict[str, Any]:
    """The same rows as lists."""
    return loaded(None, lists=True)


@reproduce()
def default_collate_of_classes() -> dict[str, Any]:
    """Every text has one label, a class."""
    return classed()


@detect(found=True)
def raises_at_once() -> dict[str, Any]:
    """The longest and the shortest row do not fit."""
    return look(rows(tiny_tokenizer()))


@detect(found=False, control="raises-at-once")
def accepts_even_rows() -> dict[str, Any]:
    """Texts of one length."""
    return look(rows(tiny_tokenizer(), texts=EVEN))


@detect(found=False)
def accepts_usual_collators() -> dict[str, Any]:
    """Sound data through the collators of transformers."""
    return usual_collators()


@fix("seq2seq", control="labels-left-ragged")
def labels_padded() -> dict[str, Any]:
    """The collator that knows labels."""
    return padded(for_seq2seq)


@fix("seq2seq", control="default-collate-of-lists")
def lists_padded() -> dict[str, Any]:
    """It pads the rows that PyTorch's collate function cannot stack."""
    return loaded(for_seq2seq(tiny_tokenizer()), lists=True)


@fix("with-padding", control="default-collate-of-classes")
def classes_padded() -> dict[str, Any]:
    """The collator that pads inputs, and stacks the labels."""
    return classed(with_padding())


@fix("collate", control="default-collate")
def padded_by_hand() -> dict[str, Any]:
    """The collate function of the page."""
    return loaded(own_collator())


@fix("collate", control="default-collate-of-lists")
def lists_padded_by_hand() -> dict[str, Any]:
    """It makes tensors of lists."""
    return loaded(own_collator(), lists=True)


@fix("collate", control="default-collate-of-classes")
def classes_padded_by_hand() -> dict[str, Any]:
    """It stacks what has one number a row."""
    return classed(own_collator())


@non_fix("padding-in-map", control="default-collate")
def padded_in_map() -> dict[str, Any]:
    """Every piece of the map is padded to its own longest row."""
    return loaded(None, padding=True)


@non_fix("labels-with-pad-token", control="default-collate")
def labels_padded_with_the_pad_token() -> dict[str, Any]:
    """Padding is learnt, and makes the loss look good."""
    return loaded(pad_all)


@detect(found=True)
def even_lists() -> dict[str, Any]:
    """Lists of one length come back by position, not by row."""
    return transposed(rows(tiny_tokenizer(), texts=EVEN, lists=True))


@detect(found=False, control="even-lists")
def even_tensors() -> dict[str, Any]:
    """Tensors come back by row."""
    return transposed(rows(tiny_tokenizer(), texts=EVEN))


if __name__ == "__main__":
    main(__file__)
