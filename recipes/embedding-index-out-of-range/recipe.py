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
from failure import NEW, learn, llama, lora, mask_the_prompt, read
from proof_sharded import sharded_table

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet


def added(*, resize: bool = False, clamp: bool = False) -> dict[str, Any]:
    """Learn two added tokens, and measure the loss at the end and how different the two are."""
    model = llama(resize=resize)
    table = model.get_input_embeddings()
    measure(rows=table.num_embeddings)
    table.register_forward_pre_hook(lambda _, ids: measure(highest=ids[0].max().item()))
    return {"loss": learn(model, clamp=clamp)}


def check(model: Any, **batch: torch.Tensor) -> dict[str, Any]:
    """Run one batch inside what the page offers."""
    try:
        snippet("check-indices", model=model, batch=batch)
    except IndexError as error:
        return {"found": "in a table of" in str(error), "said": str(error)}
    return {"found": False, "said": ""}


def adapted(**changes: Any) -> dict[str, Any]:
    """Learn the two added tokens with LoRA, and ask what the page asks of the new rows."""
    model = lora(llama(resize=True), **changes)
    model.enable_input_require_grads()  # as gradient checkpointing does; the question survives it
    asked = snippet("new-rows", model=model, new=list(NEW))
    return {"found": asked["frozen"], "loss": learn(model)}


@reproduce()
def added_tokens() -> dict[str, Any]:
    """The tokenizer has two tokens more than the table has rows."""
    return added()


@reproduce()
def prompt_masked_in_place() -> dict[str, Any]:
    """The labels are the input ids themselves, so -100 is written into both."""
    return {"loss": mask_the_prompt(llama())}


@reproduce()
def longer_than_the_table() -> dict[str, Any]:
    """Seventeen tokens, sixteen positions."""
    return {"read": read(torch.full((1, 17), 5))}


@fix("a-row-for-every-id", control="added-tokens")
def resized() -> dict[str, Any]:
    """Two rows more, on both sides of the model."""
    return added(resize=True)


@fix("a-row-for-every-id", control="prompt-masked-in-place")
def labels_cloned() -> dict[str, Any]:
    """The labels are a copy."""
    return {"loss": mask_the_prompt(llama(), clone=True)}


@fix("a-row-for-every-id", control="longer-than-the-table")
def text_cut() -> dict[str, Any]:
    """The first sixteen of them."""
    return {"read": read(torch.full((1, 17), 5), cut=True)}


@non_fix("clamp-the-ids", control="added-tokens")
def ids_clamped() -> dict[str, Any]:
    """Both tokens read the last row, and are one token from then on."""
    return added(clamp=True)


@detect(found=True)
def names_the_ids() -> dict[str, Any]:
    """It names the ids and the rows."""
    return check(llama(), input_ids=torch.tensor([[2, 5, NEW[1]]]))


@detect(found=False, control="names-the-ids")
def accepts_the_resized_table() -> dict[str, Any]:
    """Every id has a row."""
    return check(llama(resize=True), input_ids=torch.tensor([[2, 5, NEW[1]]]))


@detect(found=True)
def new_rows_frozen() -> dict[str, Any]:
    """LoRA freezes the table, and the two new rows begin as good as equal."""
    return adapted()


@fix("train-the-new-rows", control="new-rows-frozen")
def new_rows_trained() -> dict[str, Any]:
    """The same with the two rows beside LoRA."""
    return adapted(new_rows=True)


@detect(found=True, ranks=2, timeout_s=60)
def sharded_over_two_ranks() -> dict[str, Any]:
    """Each rank takes the id for one of the other's; both answer with zeros."""
    return sharded_table(check)


if __name__ == "__main__":
    main(__file__)
