"""Ids of one dimension, or of three: an error by the model, or a training that goes nowhere."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "datasets==5.2.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_shapes import learn, looked, one_mask, one_text, refused, resized, stacked

from fixbook.recipe import detect, fix, main, non_fix, reproduce

LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1"]


@reproduce()
def one_text_for_bert() -> dict[str, Any]:
    """The ids of one text, as the tokenizer lists them."""
    return one_text("bert")


@detect(found=True)
def one_text_for_llama() -> dict[str, Any]:
    """The same for a model with rotary positions."""
    return refused("llama")


@reproduce()
def one_text_for_gpt2() -> dict[str, Any]:
    """The same for a model that flattens."""
    return one_text("gpt2")


@reproduce()
def one_text_for_roberta() -> dict[str, Any]:
    """The same for a model that counts positions from the ids."""
    return one_text("roberta")


@reproduce()
def one_text_to_generate() -> dict[str, Any]:
    """The same for generate."""
    return one_text("llama", generates=True)


@reproduce()
def stacked_for_bert() -> dict[str, Any]:
    """Rows that were tensors of one text each, stacked."""
    return stacked("bert")


@reproduce()
def stacked_for_llama() -> dict[str, Any]:
    """The same rows and their masks for a Llama."""
    return stacked("llama")


@reproduce()
def last_batch_squeezed() -> dict[str, Any]:
    """The same rows without their dimensions of 1, and one text in the last batch."""
    return stacked("bert", squeeze="all")


@reproduce()
def one_mask_for_llama() -> dict[str, Any]:
    """The mask of a padded text alone lacks the dimension."""
    return one_mask("llama")


@reproduce(versions=LAST_4, record_once="an overlay of another release")
def one_mask_on_4_57() -> dict[str, Any]:
    """The same for BERT, on the last release of 4."""
    return one_mask("bert")


@detect(found=True)
def looks_at_stacked_rows() -> dict[str, Any]:
    """The first batch of rows that were tensors."""
    return looked(page=False)


@detect(found=False, control="looks-at-stacked-rows")
def looks_at_plain_rows() -> dict[str, Any]:
    """The first batch of the page's rows."""
    return looked(page=True)


@fix("one-text", control="one-text-for-bert")
def bert_with_a_batch() -> dict[str, Any]:
    """The page's lines."""
    return one_text("bert", page=True)


@fix("one-text", control="one-text-for-llama")
def llama_with_a_batch() -> dict[str, Any]:
    """The page's lines."""
    return refused("llama", page=True)


@fix("one-text", control="one-text-for-gpt2")
def gpt2_with_a_batch() -> dict[str, Any]:
    """The page's lines."""
    return one_text("gpt2", page=True)


@fix("one-text", control="one-text-for-roberta")
def roberta_with_a_batch() -> dict[str, Any]:
    """The page's lines."""
    return one_text("roberta", page=True)


@fix("one-text", control="one-text-to-generate")
def generate_with_a_batch() -> dict[str, Any]:
    """The page's lines."""
    return one_text("llama", page=True, generates=True)


@fix("mask", control="one-mask-for-llama")
def mask_with_a_batch() -> dict[str, Any]:
    """The page's line."""
    return one_mask("llama", page=True)


@fix(
    "mask",
    control="one-mask-on-4-57",
    versions=LAST_4,
    record_once="an overlay of another release",
)
def mask_with_a_batch_on_4_57() -> dict[str, Any]:
    """The page's line."""
    return one_mask("bert", page=True)


@fix("rows", control="stacked-for-bert")
def plain_rows() -> dict[str, Any]:
    """The page's lines."""
    return stacked("bert", page=True)


@fix("rows", control="stacked-for-llama")
def plain_rows_for_llama() -> dict[str, Any]:
    """The page's lines."""
    return stacked("llama", page=True)


@fix("squeeze", control="last-batch-squeezed")
def second_dimension_squeezed() -> dict[str, Any]:
    """The page's line."""
    return stacked("bert", squeeze="dim")


@non_fix("resize", control="one-text-for-bert")
def two_texts_resized() -> dict[str, Any]:
    """Two texts in one batch."""
    return resized()


@detect(found=True)
def trained_on_stacked_rows() -> dict[str, Any]:
    """A Llama learns from rows that were tensors, without a mask."""
    return learn()


@detect(found=False, control="trained-on-stacked-rows")
def trained_on_plain_rows() -> dict[str, Any]:
    """A Llama learns from the page's rows."""
    return learn(page=True)


if __name__ == "__main__":
    main(__file__)
