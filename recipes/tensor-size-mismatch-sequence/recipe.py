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

from failure import answer, llama, packed
from proof_lengths import (
    as_long,
    chat,
    check,
    check_usual_calls,
    collated,
    cut,
    eval_mode,
    long,
    no_cache,
    no_mask,
    pack,
    pad_first,
    shorter,
    trained,
    whole_mask,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

# Generation looks at lengths later, and generates in train mode, since; before it a static cache of
# Gemma 2 is refused as well.
SINCE = ["transformers>=4.53"]
OLD = ["transformers==4.52.4", "tokenizers==0.21.4", "huggingface_hub==0.36.0"]


@reproduce(on="any")
def mask_of_the_last_turn() -> dict[str, Any]:
    """The first turn is in the cache, and the mask knows nothing of it."""
    return chat()


@reproduce(versions=OLD, record_once="an older transformers beside the main one, imported anew")
def mask_of_the_last_turn_on_4_52() -> dict[str, Any]:
    """The mask itself does not fit there: dimension 3."""
    return {"answers": len(answer(llama()))}


@reproduce(on="any")
def mask_made_before_padding() -> dict[str, Any]:
    """Seven tokens in the mask, eight in the row."""
    return pack()


@reproduce(on="any")
def positions_made_before_cutting() -> dict[str, Any]:
    """Eleven positions for eight tokens."""
    return cut()


@reproduce(on="any")
def positions_not_padded() -> dict[str, Any]:
    """A collator pads all but the positions."""
    return collated()


@reproduce(on="any")
def text_too_long() -> dict[str, Any]:
    """More tokens than BERT has positions."""
    return long()


@reproduce(on="any")
def text_too_long_with_types() -> dict[str, Any]:
    """The same with the token types that BERT's own tokenizer returns."""
    return long(types=True)


@detect(found=True, on="any", needs=SINCE)
def generated_in_train_mode() -> dict[str, Any]:
    """No error, one warning, other words."""
    return trained()


@detect(found=True, on="any", needs=SINCE)
def names_the_positions() -> dict[str, Any]:
    """In the chat it is the positions: generate makes them from the mask."""
    return check(answer)


@detect(found=True, on="any")
def names_the_mask() -> dict[str, Any]:
    """It names the mask of the packed row."""
    return check(packed)


@detect(found=False, control="names-the-positions", on="any", needs=SINCE)
def accepts_the_whole_mask() -> dict[str, Any]:
    """All lengths agree, in every forward of generate."""
    return check(answer, generate=whole_mask)


@detect(found=False, needs=SINCE)
def accepts_usual_calls() -> dict[str, Any]:
    """Padding, sliding windows and static caches are all sound."""
    return check_usual_calls()


@fix("whole-mask", control="mask-of-the-last-turn", on="any")
def mask_of_both_turns() -> dict[str, Any]:
    """The mask of the first turn, and that of the second behind it."""
    return chat(generate=whole_mask)


@fix("positions", control="positions-made-before-cutting", on="any")
def positions_cut_too() -> dict[str, Any]:
    """The positions are cut where the tokens are."""
    return cut(mend=as_long)


@fix("positions", control="positions-not-padded", on="any")
def positions_padded_too() -> dict[str, Any]:
    """The positions are padded where the tokens are."""
    return collated(mend=as_long)


@fix("eval-mode", control="generated-in-train-mode", on="any", needs=SINCE)
def generated_in_eval_mode() -> dict[str, Any]:
    """The words are those of the model at rest."""
    return trained(generate=eval_mode)


@fix("eval-mode", control="generated-in-train-mode", on="any", needs=SINCE)
def generated_without_cache() -> dict[str, Any]:
    """In train mode, everything is computed anew for each word."""
    return trained(generate=no_cache)


@fix("shorter-text", control="text-too-long", on="any")
def text_cut() -> dict[str, Any]:
    """Cut to the model's limit."""
    return long(tokenize=shorter)


@fix("pad-first", control="mask-made-before-padding", on="any")
def mask_made_after_padding() -> dict[str, Any]:
    """Padding is a block of its own."""
    return pack(blocks=pad_first)


@non_fix("no-mask", control="mask-of-the-last-turn", on="any")
def mask_left_out() -> dict[str, Any]:
    """No mask, no error: the padded row attends to its padding."""
    return chat(generate=no_mask)


if __name__ == "__main__":
    main(__file__)
