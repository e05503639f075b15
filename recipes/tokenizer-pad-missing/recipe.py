"""A tokenizer without a pad token: what raises, and which pad token lets the model stop."""
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

from proof_pad import (
    added,
    as_it_is,
    classified,
    eos,
    new_row,
    own_token,
    tokenized,
    trained,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def tokenized_without_a_pad_token() -> dict[str, Any]:
    """The tokenizer is asked to pad."""
    return tokenized(as_it_is)


@reproduce()
def collated_without_a_pad_token() -> dict[str, Any]:
    """The collator asks it."""
    return trained(as_it_is)


@reproduce()
def classified_without_a_pad_token() -> dict[str, Any]:
    """The tokenizer has one, the model's configuration has none."""
    return classified(as_it_is)


@fix("own-token", control="tokenized-without-a-pad-token")
def tokenized_with_its_own() -> dict[str, Any]:
    """A token that no text has."""
    return tokenized(own_token)


@fix("own-token", control="collated-without-a-pad-token")
def trained_with_its_own() -> dict[str, Any]:
    """EOS stays in the labels."""
    return trained(own_token)


@fix("own-token", control="classified-without-a-pad-token")
def classified_with_its_own() -> dict[str, Any]:
    """The configuration is told as well."""
    return classified(own_token)


@non_fix("eos", control="collated-without-a-pad-token")
def trained_with_eos() -> dict[str, Any]:
    """Every EOS is masked, and the model goes on."""
    return trained(eos)


@fix("labels-by-place", control="finds-masked-ends")
def trained_with_labels() -> dict[str, Any]:
    """The pad token is still EOS, and labels are padded by place."""
    return trained(eos, labelled=True)


@non_fix("add-pad", control="collated-without-a-pad-token")
def trained_with_an_added_token() -> dict[str, Any]:
    """The model has no row for it."""
    return trained(added)


@fix("new-row", control="collated-without-a-pad-token")
def trained_with_a_new_row() -> dict[str, Any]:
    """Now it has."""
    return trained(new_row)


@fix("new-row", control="collated-without-a-pad-token")
def trained_with_rows_to_spare() -> dict[str, Any]:
    """Rows that the model already has are not taken away."""
    return trained(new_row, spare=8)


@detect(found=True)
def finds_masked_ends() -> dict[str, Any]:
    """No EOS in the labels."""
    return trained(eos)


@detect(found=False, control="finds-masked-ends")
def accepts_its_own() -> dict[str, Any]:
    """Another pad token."""
    return trained(own_token)


if __name__ == "__main__":
    main(__file__)
