"""An Auto class that has no model for the configuration of the folder."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_auto import asked, body, loaded

from fixbook.recipe import detect, fix, main, non_fix, reproduce

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1", *HTTP]
ONCE = "another transformers beside the main one, imported anew"


@reproduce()
def vision_language_as_causal() -> dict[str, Any]:
    """A Qwen2.5-VL, loaded as a text model."""
    return loaded("vision-language")


@reproduce(versions=LAST_4, record_once=ONCE)
def vision_language_on_4() -> dict[str, Any]:
    """The same on the last release of 4."""
    return loaded("vision-language")


@reproduce()
def encoder_decoder_as_causal() -> dict[str, Any]:
    """A T5, loaded as a text model."""
    return loaded("sequence-to-sequence")


@reproduce()
def encoder_as_causal() -> dict[str, Any]:
    """A DistilBERT, as run_clm.py loads it."""
    return loaded("masked")


@reproduce()
def authors_code_without_the_class() -> dict[str, Any]:
    """The authors' auto_map names another Auto class."""
    return loaded("theirs")


@detect(found=True)
def asked_of_vision_language() -> dict[str, Any]:
    """Which classes take a Qwen2.5-VL."""
    return asked("vision-language")


@detect(found=True)
def asked_of_encoder_decoder() -> dict[str, Any]:
    """Which classes take a T5."""
    return asked("sequence-to-sequence")


@detect(found=True)
def asked_of_authors_code() -> dict[str, Any]:
    """Which classes the authors name."""
    return asked("theirs")


@detect(found=False, control="asked-of-vision-language")
def asked_of_causal() -> dict[str, Any]:
    """A Llama is taken."""
    return asked("causal")


@fix("vision", control="vision-language-as-causal")
def vision_language_by_its_class() -> dict[str, Any]:
    """The Auto class of models that read images and write text."""
    return loaded("vision-language", "vision")


@fix("vision", control="vision-language-on-4", versions=LAST_4, record_once=ONCE)
def vision_language_by_its_class_on_4() -> dict[str, Any]:
    """The same on the last release of 4."""
    return loaded("vision-language", "vision")


@fix("seq2seq", control="encoder-decoder-as-causal")
def encoder_decoder_by_its_class() -> dict[str, Any]:
    """The Auto class of models with an encoder and a decoder."""
    return loaded("sequence-to-sequence", "seq2seq")


@fix("authors", control="authors-code-without-the-class")
def authors_class() -> dict[str, Any]:
    """The class that auto_map names."""
    return loaded("theirs", "authors")


@fix("saved", control="encoder-as-causal")
def class_that_was_saved() -> dict[str, Any]:
    """The class that config.json names, for a DistilBERT."""
    return loaded("masked", "saved")


@fix("saved", control="vision-language-as-causal")
def class_that_was_saved_of_vision_language() -> dict[str, Any]:
    """The same for a Qwen2.5-VL."""
    return loaded("vision-language", "saved")


@non_fix("trust-remote-code", control="vision-language-as-causal")
def code_trusted_where_there_is_none() -> dict[str, Any]:
    """There is no code in the folder that could be trusted."""
    return loaded("vision-language", trust=True)


@detect(found=True)
def body_alone() -> dict[str, Any]:
    """AutoModel takes it, and leaves the output layer out."""
    return body(mend=False)


@detect(found=False, control="body-alone")
def body_with_output_layer() -> dict[str, Any]:
    """The class of the fix gives logits."""
    return body(mend=True)


if __name__ == "__main__":
    main(__file__)
