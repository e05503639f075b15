"""Ids for which a table has no row: added tokens, masked inputs, positions; and what is silent."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
from failure import NEW, gpt2, llama, mask_the_prompt, mpnet, pad, pair, read, roberta
from proof_sharded import sharded_table
from proof_tables import (
    adapted,
    added,
    check,
    check_sound_models,
    cloned,
    cut,
    end_as_pad,
    grown,
    truncated,
    without_kinds,
)

from fixbook.recipe import detect, device, fix, main, non_fix, reproduce

# Before it a RoBERTa refuses the length of its types first: "The expanded size of the tensor".
FIVE = ["transformers>=5"]


@reproduce(on="any")
def added_tokens() -> dict[str, Any]:
    """The tokenizer has two tokens more than the table has rows."""
    return added()


@reproduce(on="any")
def new_pad_token() -> dict[str, Any]:
    """A pad token is added to a tokenizer, and a batch padded with it."""
    return pad()


@reproduce(on="any")
def minus_one_for_padding() -> dict[str, Any]:
    """The pad id is -1, as with Meta's own tokenizer of LLaMA."""
    return pad(pad_id=-1)


@reproduce(on="any")
def prompt_masked_in_place() -> dict[str, Any]:
    """The labels are the input ids themselves, so -100 is written into both."""
    return {"loss": mask_the_prompt()}


@reproduce(on="any")
def longer_than_the_table() -> dict[str, Any]:
    """A long text, and the sixteen positions of a GPT-2."""
    return read(gpt2())


@reproduce(on="any")
def generation_past_the_table() -> dict[str, Any]:
    """Fourteen tokens are read and six are to be written, with sixteen positions."""
    text = torch.full((1, 14), 5, device=device())
    return {"read": gpt2().generate(text, max_new_tokens=6, do_sample=False).shape[1]}


@reproduce(on="any", needs=FIVE)
def longer_than_a_roberta() -> dict[str, Any]:
    """A long text, and the positions of a RoBERTa."""
    return read(roberta())


@reproduce(on="any")
def longer_than_an_mpnet() -> dict[str, Any]:
    """A long text, and the positions of an MPNet."""
    return read(mpnet())


@reproduce(on="any")
def second_kind_of_text() -> dict[str, Any]:
    """A pair of texts marked 0 and 1; a RoBERTa has one row of those."""
    return pair(roberta())


@detect(found=True, on="any")
def names_the_ids() -> dict[str, Any]:
    """It names the ids and the rows."""
    return check(llama(), input_ids=torch.tensor([[2, 5, NEW[1]]], device=device()))


@detect(found=False, control="names-the-ids", on="any")
def accepts_the_grown_table() -> dict[str, Any]:
    """Every id has a row."""
    return check(llama(grow=grown), input_ids=torch.tensor([[2, 5, NEW[1]]], device=device()))


@detect(found=False)
def accepts_sound_models() -> dict[str, Any]:
    """Nothing is said of models whose tables are full."""
    return check_sound_models()


@detect(found=True, on="any")
def new_rows_frozen() -> dict[str, Any]:
    """LoRA freezes the table, and the two new rows begin as good as equal."""
    return adapted()


@detect(found=True, on="any", ranks=2, timeout_s=60)
def sharded_over_two_ranks() -> dict[str, Any]:
    """Each rank takes the id for one of the other's; both answer with zeros."""
    return sharded_table()


@fix("grow-the-table", control="added-tokens", on="any")
def grown_by_two_rows() -> dict[str, Any]:
    """Two rows more, on both sides of the model."""
    return added(grow=grown)


@fix("take-a-token-that-is-there", control="new-pad-token", on="any")
def end_as_pad_token() -> dict[str, Any]:
    """The token that ends a text is taken for padding."""
    return pad(reuse=end_as_pad)


@fix("cut-the-text", control="longer-than-the-table", on="any")
def cut_to_sixteen() -> dict[str, Any]:
    """The first sixteen tokens."""
    return read(gpt2(), cut=cut)


@fix("cut-the-text", control="longer-than-a-roberta", on="any", needs=FIVE)
def cut_for_a_roberta() -> dict[str, Any]:
    """One token less than there are positions, as padding has id 0."""
    return read(roberta(), cut=cut)


@fix("cut-the-text", control="longer-than-an-mpnet", on="any")
def cut_for_an_mpnet() -> dict[str, Any]:
    """Two tokens less than there are positions, whose table says what it reserves."""
    return read(mpnet(), cut=cut)


@fix("clone-the-labels", control="prompt-masked-in-place", on="any")
def labels_apart() -> dict[str, Any]:
    """The labels are a copy."""
    return {"loss": mask_the_prompt(make_labels=cloned)}


@fix("leave-out-the-kinds", control="second-kind-of-text", on="any")
def no_kinds() -> dict[str, Any]:
    """The model fills the kinds in itself."""
    return pair(roberta(), without_kinds=without_kinds)


@fix("train-the-new-rows", control="new-rows-frozen", on="any")
def new_rows_trained() -> dict[str, Any]:
    """The same with the two rows beside LoRA."""
    return adapted(new_rows=True)


@non_fix("clamp-the-ids", control="added-tokens", on="any")
def ids_clamped() -> dict[str, Any]:
    """Both tokens read the last row, and are one token from then on."""
    return added(clamp=True)


@non_fix("truncation-alone", control="longer-than-the-table", on="any")
def truncation_alone() -> dict[str, Any]:
    """A tokenizer that knows no limit is asked to cut."""
    return read(gpt2(), cut=truncated)


if __name__ == "__main__":
    main(__file__)
