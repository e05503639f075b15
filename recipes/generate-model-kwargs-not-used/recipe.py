"""generate refuses what neither the model nor the settings of a generation know."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_arguments import (
    asked_of,
    asked_of_settings,
    batched,
    chatted,
    configured,
    pictured,
    segments_of_gpt2,
    served,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

# Before it this tokenizer returns token_type_ids, too, which generate refuses.
FIVE = ["transformers>=5"]

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1", *HTTP]
ONCE = "another transformers beside the main one, imported anew"


@reproduce()
def segments_of_a_chat() -> dict[str, Any]:
    """The tokenizer returns token_type_ids, and a Llama has no such input."""
    return chatted()


@reproduce(versions=LAST_4, record_once=ONCE)
def plain_tokenizer_on_4() -> dict[str, Any]:
    """A tokenizer that names no inputs, on the last release of 4."""
    return chatted(segments=False)


@reproduce()
def arguments_of_a_server() -> dict[str, Any]:
    """Names that servers have for the same things."""
    return served()


@reproduce()
def column_of_a_batch() -> dict[str, Any]:
    """A batch with a column of one's own."""
    return batched()


@reproduce()
def picture_for_text() -> dict[str, Any]:
    """A picture for a model of text."""
    return pictured()


@detect(found=True)
def asked_of_segments() -> dict[str, Any]:
    """The check names token_type_ids, through PEFT."""
    return asked_of()


@detect(found=False, control="asked-of-segments")
def asked_of_the_named() -> dict[str, Any]:
    """After the first fix, it names nothing."""
    return asked_of("names")


@detect(found=False, needs=FIVE)
def asked_of_settings_of_the_page() -> dict[str, Any]:
    """It names nothing of what the page itself passes."""
    return asked_of_settings()


@detect(found=False, control="asked-of-segments")
def asked_of_three_families() -> dict[str, Any]:
    """It names nothing where three families get what they take."""
    return asked_of(sound=True)


@fix("names", control="segments-of-a-chat")
def names_of_the_tokenizer() -> dict[str, Any]:
    """The tokenizer is told which inputs the model has."""
    return chatted("names")


@fix("arguments", control="arguments-of-a-server", needs=FIVE)
def arguments_of_generate() -> dict[str, Any]:
    """The names that generate has."""
    return served("arguments")


@fix("columns", control="column-of-a-batch")
def columns_chosen() -> dict[str, Any]:
    """The columns that are inputs, alone."""
    return batched("columns")


@fix("class", control="picture-for-text")
def class_with_pictures() -> dict[str, Any]:
    """A model that reads pictures, by the class that has them."""
    return pictured("class")


@non_fix("in-the-template", control="segments-of-a-chat")
def switched_off_in_the_template() -> dict[str, Any]:
    """An argument that apply_chat_template hands to the template."""
    return chatted(return_token_type_ids=False)


@non_fix("no-check", control="picture-for-text")
def check_switched_off() -> dict[str, Any]:
    """The check is switched off."""
    return pictured(check=False)


@detect(found=True)
def misspelt_in_a_config() -> dict[str, Any]:
    """A GenerationConfig takes a name that is misspelt."""
    return configured("max_new_token")


@detect(found=False, control="misspelt-in-a-config")
def spelt_in_a_config() -> dict[str, Any]:
    """The same name, spelt."""
    return configured("max_new_tokens")


@detect(found=True)
def segments_for_gpt2() -> dict[str, Any]:
    """A GPT-2 takes token_type_ids, and adds something for them."""
    return segments_of_gpt2()


if __name__ == "__main__":
    main(__file__)
