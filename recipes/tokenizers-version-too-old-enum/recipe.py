"""A tokenizer.json that a newer tokenizers wrote, read by an older one."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "tokenizers==0.23.3", "transformers==5.23.0", "packaging==26.3"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import load
from proof_read import alone, ask_of_others, asked, with_transformers

from fixbook.recipe import detect, fix, main, non_fix, reproduce

BESIDE = ["huggingface_hub==0.36.2", "numpy==1.26.4"]
OLD = ["tokenizers==0.19.1"]
NEW = ["tokenizers==0.20.0"]
OLD_4 = ["transformers==4.44.2", *OLD, *BESIDE]
NEW_4 = ["transformers==4.45.0", *NEW, *BESIDE]
HALF = ["transformers==4.44.2", *NEW, *BESIDE]
LAST_4 = ["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.2"]
HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
FIRST_5 = ["transformers==5.0.0", "tokenizers==0.22.1", "huggingface_hub==1.17.0", *HTTP]
ONCE = "older releases of the libraries, imported anew"


@reproduce(versions=OLD, record_once=ONCE)
def lists_on_0_19() -> dict[str, Any]:
    """The last series that wants strings."""
    return alone()


@reproduce(versions=["tokenizers==0.15.2"], record_once=ONCE)
def split_on_0_15() -> dict[str, Any]:
    """A pre-tokenizer with a field that this release does not know; the merges are strings."""
    return alone(strings=True, split=True)


@reproduce(versions=OLD_4, record_once=ONCE)
def lists_on_4_44() -> dict[str, Any]:
    """Transformers with the tokenizers that it asks for."""
    return with_transformers()


@reproduce(versions=LAST_4, record_once=ONCE)
def backend_on_4_57() -> dict[str, Any]:
    """The class that transformers 5 writes."""
    return with_transformers("TokenizersBackend")


@detect(found=True, versions=OLD, record_once=ONCE)
def asked_on_0_19() -> dict[str, Any]:
    """Lists, and a release that wants strings."""
    return asked()


@detect(found=False, control="asked-on-0-19")
def asked_today() -> dict[str, Any]:
    """Today's release reads lists."""
    return asked()


@detect(found=False, versions=OLD, record_once=ONCE)
def asked_of_others_on_0_19() -> dict[str, Any]:
    """Files that this release reads: no merges, or strings."""
    return ask_of_others()


@fix("newer-libraries", control="lists-on-0-19", versions=NEW, record_once=ONCE)
def lists_on_0_20() -> dict[str, Any]:
    """The first that reads lists."""
    return alone()


@fix("newer-libraries", control="lists-on-0-19")
def lists_today() -> dict[str, Any]:
    """Today's release reads lists."""
    return alone()


@fix("newer-libraries", control="split-on-0-15", versions=OLD, record_once=ONCE)
def split_on_0_19() -> dict[str, Any]:
    """This one does."""
    return alone(strings=True, split=True)


@fix("newer-libraries", control="lists-on-4-44", versions=NEW_4, record_once=ONCE)
def lists_on_4_45() -> dict[str, Any]:
    """The first that asks for 0.20."""
    return with_transformers()


@fix("newer-libraries", control="backend-on-4-57", versions=FIRST_5, record_once=ONCE)
def backend_on_5_0() -> dict[str, Any]:
    """The first release that has it."""
    return with_transformers("TokenizersBackend")


@fix("newer-libraries", control="backend-on-4-57")
def backend_today() -> dict[str, Any]:
    """Today's transformers reads what it writes."""
    return with_transformers("TokenizersBackend")


@fix("class-of-4", control="backend-on-4-57", versions=LAST_4, record_once=ONCE)
def fast_class_on_4_57() -> dict[str, Any]:
    """The class of transformers 4 that reads tokenizer.json as it is, and its special tokens."""
    done = with_transformers("TokenizersBackend", rename="all")
    return {**done, "special": " ".join(load("saved").additional_special_tokens)}


@fix("merges-as-strings", control="lists-on-0-19", versions=OLD, record_once=ONCE)
def strings_on_0_19() -> dict[str, Any]:
    """The same pairs as strings."""
    return alone(strings=True)


@fix("merges-as-strings", control="lists-on-4-44", versions=OLD_4, record_once=ONCE)
def slow_on_4_44() -> dict[str, Any]:
    """The class in Python, which reads other files."""
    return with_transformers("GPT2Tokenizer", slow=True)


@non_fix("tokenizers-alone", control="lists-on-4-44", versions=HALF, record_once=ONCE)
def tokenizers_alone() -> dict[str, Any]:
    """Only tokenizers is upgraded."""
    return with_transformers()


@non_fix("class-alone", control="backend-on-4-57", versions=LAST_4, record_once=ONCE)
def class_alone_on_4_57() -> dict[str, Any]:
    """The list of special tokens is left as transformers 5 wrote it."""
    return with_transformers("TokenizersBackend", rename="class")


@detect(found=True, versions=LAST_4, record_once=ONCE)
def llama_class_on_4_57() -> dict[str, Any]:
    """A class of another model has rules of its own."""
    return with_transformers("LlamaTokenizerFast")


@detect(found=False, control="llama-class-on-4-57", versions=LAST_4, record_once=ONCE)
def compared_on_4_57() -> dict[str, Any]:
    """The plain class has none."""
    return with_transformers("PreTrainedTokenizerFast")


if __name__ == "__main__":
    main(__file__)
