"""A checkpoint without its tokenizer's files: transformers 5 makes an empty tokenizer."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import encode, generate, kinds, look, trusted
from proof_trainer import train

from fixbook.recipe import detect, fix, main, reproduce

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LIBRARIES = ["tokenizers==0.22.1", "datasets==4.8.4", *HTTP]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", *LIBRARIES]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", *LIBRARIES]
ONCE = "another transformers beside the main one, imported anew"


def checkpoint_of_a_trainer(*, page: bool = False) -> dict[str, Any]:
    """Look at the checkpoint that a Trainer has written."""
    train(page=page)
    return look()


@reproduce()
def qwen_generates() -> dict[str, Any]:
    """No token at all, which the model does not take."""
    return generate()


@fix("base", control="qwen-generates")
def generates_with_the_base() -> dict[str, Any]:
    """The files of the base model are there."""
    return generate("base")


@reproduce(versions=LAST_4, record_once=ONCE)
def qwen_on_4() -> dict[str, Any]:
    """The last release of 4 refuses to load it."""
    return encode()


@reproduce(versions=LAST_4, record_once=ONCE)
def llama_on_4() -> dict[str, Any]:
    """So it does for Llama, in other words."""
    return encode("llama")


@reproduce(versions=LAST_4, record_once=ONCE)
def authors_code_on_4() -> dict[str, Any]:
    """A model of its authors' own code, as a merged adapter leaves it."""
    return trusted()


@fix("base", control="authors-code-on-4", versions=LAST_4, record_once=ONCE)
def authors_code_with_the_base_on_4() -> dict[str, Any]:
    """The files of the base model are there."""
    return trusted("base")


@detect(found=True)
def qwen() -> dict[str, Any]:
    """Loaded without an error, on today's release."""
    return encode()


@detect(found=False, control="qwen")
def qwen_with_the_base() -> dict[str, Any]:
    """The files of the base model are there."""
    return encode(mend="base")


def loaded() -> dict[str, Any]:
    """Load, and tell what is refused from what is empty."""
    try:
        return encode()
    except TypeError:
        return {"found": False, "refused": True}


@detect(found=True, versions=FIRST_5, record_once=ONCE)
def qwen_on_5_0() -> dict[str, Any]:
    """The same on the first release of 5."""
    return loaded()


@detect(found=False, control="qwen-on-5-0", versions=LAST_4, record_once=ONCE)
def refused_on_4() -> dict[str, Any]:
    """The last release of 4 makes no empty tokenizer."""
    return loaded()


@detect(found=True)
def gemma() -> dict[str, Any]:
    """Every text is one unknown token."""
    return encode("gemma")


@fix("base", control="gemma")
def gemma_with_the_base() -> dict[str, Any]:
    """The files of the base model are there."""
    return encode("gemma", "base")


@detect(found=True)
def many_kinds() -> dict[str, Any]:
    """Which model types load without an error."""
    return kinds()


@detect(found=True)
def trainer_alone() -> dict[str, Any]:
    """A Trainer that was given no tokenizer."""
    return checkpoint_of_a_trainer()


@fix("trainer", control="trainer-alone")
def trainer_with_its_tokenizer() -> dict[str, Any]:
    """A Trainer that was given one."""
    return checkpoint_of_a_trainer(page=True)


if __name__ == "__main__":
    main(__file__)
