"""Parts of vision-language models moved in transformers 4.52; their short cuts went in 5."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_parts import asked, frozen, layered, read, seen

from fixbook.recipe import detect, fix, main, reproduce

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1", *HTTP]
FIRST = ["transformers==4.52.4", "huggingface_hub==0.36.0", "tokenizers==0.21.4"]
BEFORE = ["transformers==4.51.3", "huggingface_hub==0.36.0", "tokenizers==0.21.4"]
ONCE = "another transformers beside the main one, imported anew"
FIVE = ["transformers>=5"]
MOVED = ["transformers>=4.52"]


@reproduce(needs=MOVED)
def layers_of_qwen() -> dict[str, Any]:
    """The layers of the text part, by their former name."""
    return layered("qwen")


@reproduce(versions=LAST_4, record_once=ONCE)
def layers_on_4() -> dict[str, Any]:
    """The same on the last release of 4."""
    return layered("qwen")


@reproduce(versions=FIRST, record_once=ONCE)
def layers_on_4_52() -> dict[str, Any]:
    """The same on the first releases that have it so."""
    return layered("qwen")


@reproduce(needs=FIVE)
def vision_of_qwen() -> dict[str, Any]:
    """The part that reads images, by its former name."""
    return seen()


@reproduce(needs=FIVE)
def language_of_qwen() -> dict[str, Any]:
    """The text part, by the short cut that 5 took away."""
    return read()


@reproduce(versions=BEFORE, record_once=ONCE)
def language_before() -> dict[str, Any]:
    """The same on a release that does not have it yet."""
    return read()


@detect(found=True, needs=MOVED)
def asked_of_qwen() -> dict[str, Any]:
    """The parts are one level deeper."""
    return asked("qwen")


@detect(found=False, control="asked-of-qwen", needs=MOVED)
def asked_of_llama() -> dict[str, Any]:
    """A text model keeps them where they were."""
    return asked("llama")


@detect(found=False, control="asked-of-qwen", versions=BEFORE, record_once=ONCE)
def asked_before() -> dict[str, Any]:
    """So did a Qwen2.5-VL before 4.52."""
    return asked("qwen")


@fix("decoder", control="layers-of-qwen", needs=MOVED)
def layers_of_the_decoder() -> dict[str, Any]:
    """The layers, through the method that all releases have."""
    return layered("qwen", "decoder")


@fix("decoder", control="layers-on-4", versions=LAST_4, record_once=ONCE)
def layers_of_the_decoder_on_4() -> dict[str, Any]:
    """The same on the last release of 4."""
    return layered("qwen", "decoder")


@fix("decoder", control="layers-on-4-52", versions=FIRST, record_once=ONCE)
def layers_of_the_decoder_on_4_52() -> dict[str, Any]:
    """The same on the first releases that have it so."""
    return layered("qwen", "decoder")


@fix("decoder", control="layers-of-qwen", versions=BEFORE, record_once=ONCE)
def layers_of_the_decoder_before() -> dict[str, Any]:
    """The same before 4.52."""
    return layered("qwen", "decoder")


@fix("decoder", control="layers-of-qwen", needs=MOVED)
def layers_of_a_text_model() -> dict[str, Any]:
    """The same of a text model."""
    return layered("llama", "decoder")


@fix("vision", control="vision-of-qwen", needs=FIVE)
def vision_where_it_is() -> dict[str, Any]:
    """The part that reads images, one level deeper."""
    return seen("vision")


@fix("older", control="layers-of-qwen", versions=BEFORE, record_once=ONCE)
def layers_before() -> dict[str, Any]:
    """The former name, on the release before."""
    return layered("qwen")


@fix("older", control="vision-of-qwen", versions=LAST_4, record_once=ONCE)
def vision_on_4() -> dict[str, Any]:
    """The short cut, on the last release of 4."""
    return seen()


@fix("older", control="language-before", versions=LAST_4, record_once=ONCE)
def language_on_4() -> dict[str, Any]:
    """The text part's short cut, on the last release of 4."""
    return read()


@detect(found=True, needs=MOVED)
def frozen_by_prefix() -> dict[str, Any]:
    """No name begins with visual any more."""
    return frozen()


@detect(found=True, versions=FIRST, record_once=ONCE)
def frozen_by_prefix_on_4_52() -> dict[str, Any]:
    """So it is on the first releases that have it so."""
    return frozen()


@detect(found=False, control="frozen-by-prefix", versions=BEFORE, record_once=ONCE)
def frozen_by_prefix_before() -> dict[str, Any]:
    """Before 4.52 they did."""
    return frozen()


@detect(found=False, control="frozen-by-prefix", needs=MOVED)
def frozen_by_part() -> dict[str, Any]:
    """The part itself is frozen."""
    return frozen("freeze")


if __name__ == "__main__":
    main(__file__)
