"""A mask that ends before the tokens do, and that transformers pads with zeros in silence."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import chat, learn, llama, soft_prompt
from proof_mask import off_by, trained

from fixbook.recipe import detect, fix, main, reproduce, snippet


@detect(found=True)
def mask_of_the_turn() -> dict[str, Any]:
    """A mask of three tokens for eleven keys."""
    return off_by(chat)


@detect(found=True)
def mask_without_the_soft_prompt() -> dict[str, Any]:
    """A mask of the text alone, behind three vectors."""
    return off_by(soft_prompt)


@detect(found=True)
def mask_of_the_prompt() -> dict[str, Any]:
    """A mask made before the answer was appended."""
    return trained()


@fix("whole-mask", control="mask-of-the-turn")
def mask_of_both_turns() -> dict[str, Any]:
    """Eleven for eleven."""
    return off_by(chat, whole=True)


@fix("whole-mask", control="mask-without-the-soft-prompt")
def mask_with_the_soft_prompt() -> dict[str, Any]:
    """Three ones more."""
    return off_by(soft_prompt, whole=True)


@fix("whole-mask", control="mask-of-the-prompt")
def mask_with_the_answer() -> dict[str, Any]:
    """Made of prompt and answer together."""
    return trained(whole=True)


def checked(run: Any) -> None:
    """Run with the check of the page on the model."""
    model = llama()
    snippet("whole-mask", model=model)
    run(model)


@reproduce()
def check_stops_the_chat() -> None:
    """The check ends it in the second turn."""
    checked(chat)


@reproduce()
def check_stops_the_training() -> None:
    """The check ends it before the first step."""
    checked(learn)


if __name__ == "__main__":
    main(__file__)
