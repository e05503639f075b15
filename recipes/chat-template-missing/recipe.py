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

from failure import CHATML
from proof_chat import (
    MISTRAL,
    as_it_is,
    ask,
    base,
    bring,
    check_families,
    compare,
    learn,
    load,
    load_and_check,
    paste,
    set_all,
    write_into_the_json,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

OLD = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
NEXT = ["transformers==4.47.0", "tokenizers==0.21.0", "huggingface_hub==0.26.5"]
LIBRARIES = ["tokenizers==0.19.1", "huggingface_hub==0.26.5", "numpy==1.26.4"]
ONCE = "another transformers beside the main one, imported anew"


@reproduce()
def base_model() -> dict[str, Any]:
    """The tokenizer of a base model."""
    return ask(base())


@reproduce(on="any")
def base_model_in_training() -> dict[str, Any]:
    """Conversations are to be trained on."""
    return learn(as_it_is)


@reproduce()
def copy_of_the_json() -> dict[str, Any]:
    """All the JSON, and no chat_template.jinja."""
    return load_and_check("*.json")


@reproduce(versions=OLD, record_once=ONCE)
def file_in_4_46() -> dict[str, Any]:
    """It does not look for the file."""
    return load()


@reproduce(versions=["transformers==4.44.0", *LIBRARIES], record_once=ONCE)
def base_model_in_4_44() -> dict[str, Any]:
    """It raises."""
    return ask(base())


@detect(found=True, on="any")
def turn_without_end() -> dict[str, Any]:
    """A template alone: its markers are text."""
    return learn(paste)


@detect(found=False, control="turn-without-end", on="any")
def turn_with_end() -> dict[str, Any]:
    """Each marker is a token, and one of them is EOS."""
    return learn(set_all)


@detect(found=False)
def turns_of_other_families() -> dict[str, Any]:
    """A turn ends with a token beside EOS, or with EOS."""
    return check_families()


@fix("bring-it", control="copy-of-the-json")
def template_of_the_source() -> dict[str, Any]:
    """The template comes from where the tokenizer was saved."""
    return load_and_check("*.json", mend=bring)


@fix("bring-it", control="copy-of-the-json")
def copy_of_all_files() -> dict[str, Any]:
    """Every file."""
    return load_and_check("*")


@fix("template-and-tokens", control="base-model-in-training", on="any")
def base_model_with_tokens() -> dict[str, Any]:
    """Template, markers and EOS together."""
    return learn(set_all)


@fix("old-reader", control="file-in-4-46", versions=OLD, record_once=ONCE)
def json_in_4_46() -> dict[str, Any]:
    """The template goes into the JSON, which it reads."""
    return load(mend=write_into_the_json)


@fix("old-reader", control="file-in-4-46", versions=NEXT, record_once=ONCE)
def file_in_4_47() -> dict[str, Any]:
    """It reads the file."""
    return load()


@non_fix("paste", control="base-model-in-training", on="any")
def base_model_with_a_template() -> dict[str, Any]:
    """The markers are text, and the end of a turn ends nothing."""
    return learn(paste)


@detect(found=True)
def template_of_another() -> dict[str, Any]:
    """Training wrote ChatML, the tokenizer writes otherwise."""
    return compare(MISTRAL)


@detect(found=False, control="template-of-another")
def template_of_the_training() -> dict[str, Any]:
    """Both write ChatML."""
    return compare(CHATML)


@detect(found=True, versions=["transformers==4.43.4", *LIBRARIES], record_once=ONCE)
def default_of_4_43() -> dict[str, Any]:
    """It takes ChatML, though nobody wrote so."""
    return {"found": base().chat_template is None, **ask(base())}


if __name__ == "__main__":
    main(__file__)
