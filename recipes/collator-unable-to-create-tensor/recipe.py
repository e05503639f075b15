"""A collator of transformers that can make no tensor of a field: which field, and why."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "datasets==5.2.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_labels import (
    SEQ2SEQ,
    cut_and_padded,
    field_of_ones_own,
    fields,
    numbers_only,
    run,
    seq2seq,
    with_tensors,
    without_tensors,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

PADDING = "DataCollatorWithPadding"


@reproduce()
def labels_not_padded() -> dict[str, Any]:
    """The collator lets the tokenizer pad, which knows no labels."""
    return run(PADDING)


@reproduce()
def text_left() -> dict[str, Any]:
    """A field of text is still in the rows."""
    return run(SEQ2SEQ, text="the model")


@reproduce()
def none_left() -> dict[str, Any]:
    """A field of the rows is None, such as the videos of rows without any."""
    return run(SEQ2SEQ, videos=None)


@reproduce()
def rows_nested() -> dict[str, Any]:
    """Each row was made a tensor of one row while it was tokenized."""
    return run(SEQ2SEQ, encode=with_tensors)


@reproduce()
def own_field_not_padded() -> dict[str, Any]:
    """A weight for each token, which the collator does not know."""
    return field_of_ones_own()


@fix("own-field", control="own-field-not-padded")
def own_field_padded() -> dict[str, Any]:
    """The field is padded beside what the collator makes."""
    return field_of_ones_own(padded=True)


@detect(found=True)
def fields_named() -> dict[str, Any]:
    """Text, and lists with a level too many."""
    return fields(encode=with_tensors, text="the model")


@detect(found=False)
def sound_fields_named() -> dict[str, Any]:
    """Lists of numbers alone."""
    return fields()


@fix("collator-that-pads-labels", control="labels-not-padded")
def labels_padded() -> dict[str, Any]:
    """The collator that pads labels with -100."""
    return run(seq2seq)


@fix("numbers-only", control="text-left")
def text_removed() -> dict[str, Any]:
    """The same rows without text."""
    return run(SEQ2SEQ, text="the model", keep=numbers_only)


@fix("numbers-only", control="none-left")
def none_removed() -> dict[str, Any]:
    """The same rows without the field."""
    return run(SEQ2SEQ, videos=None, keep=numbers_only)


@fix("flat-rows", control="rows-nested")
def rows_flat() -> dict[str, Any]:
    """The same rows as flat lists."""
    return run(SEQ2SEQ, encode=without_tensors)


@non_fix("padding-and-truncation", control="labels-not-padded")
def told_to_pad_and_truncate() -> dict[str, Any]:
    """What the message advises."""
    return run(PADDING, encode=cut_and_padded)


@detect(found=True)
def zeros_in_the_padding() -> dict[str, Any]:
    """Padding is learnt, and makes the loss look good."""
    return run("zeros")


@detect(found=True)
def one_row_a_batch() -> dict[str, Any]:
    """Nothing raises, and labels are made anew of the inputs."""
    return run("DataCollatorForLanguageModeling", size=1)


@detect(found=False, control="one-row-a-batch")
def one_row_a_batch_with_its_labels() -> dict[str, Any]:
    """The collator that keeps labels."""
    return run(SEQ2SEQ, size=1)


if __name__ == "__main__":
    main(__file__)
