"""A configuration lacks an attribute: it is that of the text part, or has another name."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_config import asked, cache, loss, loss_by_hand, theta, theta_by_default

from fixbook.recipe import detect, fix, main, non_fix, reproduce

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1", *HTTP]
ONCE = "another transformers beside the main one, imported anew"
FIVE = ["transformers>=5"]


@reproduce(needs=FIVE)
def loss_of_qwen() -> dict[str, Any]:
    """The loss of a Qwen2.5-VL, by config.vocab_size."""
    return loss("qwen")


@reproduce()
def loss_of_gemma() -> dict[str, Any]:
    """The same with a Gemma 3."""
    return loss("gemma")


@reproduce(versions=LAST_4, record_once=ONCE)
def loss_of_gemma_on_4() -> dict[str, Any]:
    """Gemma 3 on the last release of 4."""
    return loss("gemma")


@reproduce(needs=FIVE)
def theta_of_llama() -> dict[str, Any]:
    """The rope_theta of a Llama."""
    return theta()


@detect(found=True, needs=FIVE)
def asked_of_qwen() -> dict[str, Any]:
    """Where vocab_size of a Qwen2.5-VL is."""
    return asked("qwen")


@detect(found=True)
def asked_of_gemma() -> dict[str, Any]:
    """Where vocab_size of a Gemma 3 is."""
    return asked("gemma")


@detect(found=False, control="asked-of-gemma")
def asked_of_llama() -> dict[str, Any]:
    """A text model has it itself."""
    return asked("llama")


@detect(found=False, control="asked-of-qwen", needs=FIVE)
def asked_of_the_text() -> dict[str, Any]:
    """What the first fix reads has it."""
    return asked("qwen", "text-config")


@fix("text-config", control="loss-of-qwen", needs=FIVE)
def loss_by_text_config() -> dict[str, Any]:
    """The configuration of the text part."""
    return loss("qwen", "text-config")


@fix("text-config", control="loss-of-gemma-on-4", versions=LAST_4, record_once=ONCE)
def gemma_by_text_config_on_4() -> dict[str, Any]:
    """The same for a Gemma 3 on the last release of 4."""
    return loss("gemma", "text-config")


@fix("text-config", control="loss-of-gemma")
def llama_by_text_config() -> dict[str, Any]:
    """The same line with a text model."""
    return loss("llama", "text-config")


@fix("rope-parameters", control="theta-of-llama", needs=FIVE)
def theta_by_rope_parameters() -> dict[str, Any]:
    """The base where transformers 5 keeps it."""
    return theta("rope-parameters")


@fix("rope-parameters", control="theta-of-llama", versions=LAST_4, record_once=ONCE)
def theta_by_rope_parameters_on_4() -> dict[str, Any]:
    """The same lines on the last release of 4."""
    return theta("rope-parameters")


@fix("older-transformers", control="loss-of-qwen", versions=LAST_4, record_once=ONCE)
def loss_of_qwen_on_4() -> dict[str, Any]:
    """The Qwen2.5-VL on the last release of 4."""
    return loss("qwen")


@fix("older-transformers", control="theta-of-llama", versions=LAST_4, record_once=ONCE)
def theta_of_llama_on_4() -> dict[str, Any]:
    """The rope_theta of a Llama there."""
    return theta()


@non_fix("by-hand", control="loss-of-qwen", needs=FIVE)
def size_by_hand() -> dict[str, Any]:
    """A vocab_size that is written into the configuration."""
    return loss_by_hand()


@detect(found=True, needs=FIVE)
def theta_with_a_default() -> dict[str, Any]:
    """A default of getattr, on transformers 5."""
    return theta_by_default()


@detect(found=False, control="theta-with-a-default", versions=LAST_4, record_once=ONCE)
def theta_with_a_default_on_4() -> dict[str, Any]:
    """The same line on the last release of 4."""
    return theta_by_default()


@detect(found=True, needs=FIVE)
def cache_off_in_the_whole() -> dict[str, Any]:
    """use_cache of the whole configuration is not read."""
    return cache(text=False)


@detect(found=False, control="cache-off-in-the-whole", needs=FIVE)
def cache_off_in_the_text() -> dict[str, Any]:
    """That of the text part is."""
    return cache(text=True)


if __name__ == "__main__":
    main(__file__)
