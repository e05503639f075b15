"""A tokenizer without a chat template: where it was lost, and what a pasted one does."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_chat import as_it_is, base, copied, pasted, prepared, trained, written

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def base_model() -> dict[str, Any]:
    """The tokenizer of a base model."""
    return written(base())


@reproduce()
def trained_on_chats() -> dict[str, Any]:
    """Conversations are to be trained on."""
    return trained(as_it_is)


@reproduce()
def copied_without_the_file() -> dict[str, Any]:
    """All the JSON, and no chat_template.jinja."""
    return copied("*.json")


@fix("bring-it", control="copied-without-the-file")
def copied_whole() -> dict[str, Any]:
    """Every file."""
    return copied("*")


@fix("template-and-tokens", control="trained-on-chats")
def trained_with_tokens() -> dict[str, Any]:
    """Each marker is a token, and one of them is EOS."""
    return trained(prepared)


@non_fix("paste", control="trained-on-chats")
def trained_with_a_pasted_template() -> dict[str, Any]:
    """The markers are text, and the end of a turn ends nothing."""
    return trained(pasted)


@detect(found=True)
def finds_split_markers() -> dict[str, Any]:
    """Markers in pieces."""
    return trained(pasted)


@detect(found=False, control="finds-split-markers")
def accepts_tokens() -> dict[str, Any]:
    """Markers of one token."""
    return trained(prepared)


if __name__ == "__main__":
    main(__file__)
