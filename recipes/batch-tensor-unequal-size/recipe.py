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
from proof_batch import loaded, look, own_collator, padded, transposed

from fixbook.recipe import detect, fix, main, non_fix, reproduce
from fixbook.recipe.helpers import tiny_tokenizer


@reproduce()
def default_collate() -> dict[str, Any]:
    """PyTorch's collate function stacks, and pads nothing."""
    return loaded(None)


@reproduce()
def default_collate_of_lists() -> dict[str, Any]:
    """The same rows as lists."""
    return loaded(None, lists=True)


@reproduce()
def labels_left_ragged() -> dict[str, Any]:
    """The collator for language models pads what the tokenizer knows, and labels are not that."""
    return padded()


@fix("pad-with-minus-100", control="default-collate")
def padded_by_hand() -> dict[str, Any]:
    """The collate function of the page."""
    return loaded(own_collator())


@fix("pad-with-minus-100", control="default-collate-of-lists")
def lists_padded_by_hand() -> dict[str, Any]:
    """It makes tensors of lists."""
    return loaded(own_collator(), lists=True)


@fix("pad-with-minus-100", control="labels-left-ragged")
def labels_padded() -> dict[str, Any]:
    """The collator that knows labels."""
    return padded(knows_labels=True)


@non_fix("padding-in-map", control="default-collate")
def padded_in_map() -> dict[str, Any]:
    """Every piece of the map is padded to its own longest row."""
    return loaded(None, padding=True)


@non_fix("labels-with-pad-token", control="default-collate")
def labels_padded_with_the_pad_token() -> dict[str, Any]:
    """Padding is learnt, and makes the loss look good."""
    return loaded(pad_all)


@detect(found=True)
def names_the_columns() -> dict[str, Any]:
    """Both columns are ragged."""
    return look(rows(tiny_tokenizer()))


@detect(found=False, control="names-the-columns")
def accepts_even_rows() -> dict[str, Any]:
    """Texts of one length."""
    return look(rows(tiny_tokenizer(), texts=EVEN))


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
