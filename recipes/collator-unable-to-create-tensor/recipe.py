"""A collator of transformers that can make no tensor of a field: which field, and why."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_labels import SEQ2SEQ, run

from fixbook.recipe import fix, main, non_fix, reproduce

PADDING = "DataCollatorWithPadding"
ADVICE = {"padding": True, "truncation": True, "max_length": 8}


@reproduce()
def labels_not_padded() -> dict[str, Any]:
    """The collator lets the tokenizer pad, which knows no labels."""
    return run(PADDING)


@reproduce()
def text_left() -> dict[str, Any]:
    """A field of text is still in the rows."""
    return run(SEQ2SEQ, text=True)


@reproduce()
def rows_nested() -> dict[str, Any]:
    """Each row was made a tensor of one row while it was tokenized."""
    return run(SEQ2SEQ, tensors="pt")


@fix("collator-that-pads-labels", control="labels-not-padded")
def labels_padded() -> dict[str, Any]:
    """The collator that pads labels with -100."""
    return run(SEQ2SEQ)


@fix("numbers-only", control="text-left")
def text_removed() -> dict[str, Any]:
    """The same rows without text."""
    return run(SEQ2SEQ, text=False)


@fix("flat-rows", control="rows-nested")
def rows_flat() -> dict[str, Any]:
    """The same rows as flat lists."""
    return run(SEQ2SEQ, tensors="")


@non_fix("padding-and-truncation", control="labels-not-padded")
def told_to_pad_and_truncate() -> dict[str, Any]:
    """What the message advises."""
    return run(PADDING, told=ADVICE)


if __name__ == "__main__":
    main(__file__)
