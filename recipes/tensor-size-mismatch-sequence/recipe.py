"""A mask or positions of another length than the tokens: what raises, and what mends it."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import WHOLE, answer, cut, llama, packed
from proof_lengths import alone, attention_on_padding, off_by, said

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce


def chat(**changes: Any) -> dict[str, Any]:
    """Answer the second turn, and count the rows that are answered as they are alone."""
    model = llama()
    answers = answer(model, **changes)
    measure(on_padding=attention_on_padding(**changes))
    return {"right": sum(got == alone(model, row) for row, got in enumerate(answers))}


def reading(**changes: Any) -> dict[str, Any]:
    """Read the text that was cut, and compare with positions of the model's own."""
    model = llama()
    got, wanted = cut(model, **changes), model(input_ids=WHOLE[1:, :8]).logits
    return {"read": got.shape[1], "off_by": (got - wanted).abs().max().item()}


@reproduce()
def mask_of_the_last_turn() -> dict[str, Any]:
    """The first turn is in the cache, and the mask knows nothing of it."""
    return chat()


@reproduce()
def mask_made_before_padding() -> dict[str, Any]:
    """Seven tokens in the mask, eight in the row."""
    return {"off_by": off_by(packed(llama()))}


@reproduce()
def positions_made_before_cutting() -> dict[str, Any]:
    """Eleven positions for eight tokens."""
    return reading()


@fix("as-long-as-the-keys", control="mask-of-the-last-turn")
def mask_of_both_turns() -> dict[str, Any]:
    """The mask of the first turn, and that of the second behind it."""
    return chat(mask="all")


@fix("as-long-as-the-keys", control="mask-made-before-padding")
def mask_made_after_padding() -> dict[str, Any]:
    """Padding is a block of its own."""
    return {"off_by": off_by(packed(llama(), pad_first=True))}


@fix("as-long-as-the-keys", control="positions-made-before-cutting")
def positions_cut_too() -> dict[str, Any]:
    """The positions are cut where the tokens are."""
    return reading(positions_too=True)


@non_fix("no-mask", control="mask-of-the-last-turn")
def mask_left_out() -> dict[str, Any]:
    """No mask, no error: the padded row attends to its padding."""
    return chat(mask=None)


@detect(found=True)
def names_the_positions() -> dict[str, Any]:
    """In the chat it is the positions: generate makes them from the mask."""
    return said(answer)


@detect(found=True)
def names_the_mask() -> dict[str, Any]:
    """It names the mask of the packed row."""
    return said(packed)


@detect(found=False, control="names-the-positions")
def accepts_the_whole_mask() -> dict[str, Any]:
    """All lengths agree, in every forward of generate."""
    return said(answer, mask="all")


if __name__ == "__main__":
    main(__file__)
