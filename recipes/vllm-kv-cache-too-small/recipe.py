"""vLLM does not start: one request of max_model_len needs more KV cache than there is."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import serve
from proof_need import look

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet_text

VLLM: dict[str, Any] = {
    "versions": [
        "vllm==0.33.0", "aiohappyeyeballs==2.7.1", "aiohttp==3.14.5", "aiosignal==1.4.0",
        "apache-tvm-ffi==0.1.11", "cachetools==8.0.1", "cbor2==6.3.0", "cloudpickle==3.1.2",
        "fastapi==0.165.0", "frozenlist==1.8.0", "llguidance==1.9.1", "msgspec==0.22.0",
        "multidict==7.2.1", "openai==3.54.0", "openai-harmony==0.0.8",
        "partial-json-parser==0.2.1.1.post7", "prometheus-client==0.26.0", "propcache==0.5.4",
        "pybase64==1.5.1", "sniffio==1.3.1", "uvloop==0.23.0", "xgrammar==0.2.8", "yarl==1.25.1",
    ],
    "env": {"VLLM_TARGET_DEVICE": "cpu", "VLLM_NO_USAGE_STATS": "1"},
    "import_first": "proof_vllm",
    "record_once": "vLLM's wheel is a third of a gigabyte",
}  # fmt: skip


@reproduce(**VLLM)
def length_of_the_model() -> dict[str, float]:
    """Nobody asked for a length: the model's own is taken."""
    return serve("vllm serve MODEL")


@fix("estimate", control="length-of-the-model", **VLLM)
def length_of_the_message() -> dict[str, Any]:
    """The length that the message names."""
    return serve(snippet_text("estimate")) | look(45680)


@fix("auto", control="length-of-the-model", **VLLM)
def length_by_itself() -> dict[str, float]:
    """The longest that fits is taken."""
    return serve(snippet_text("auto"))


@fix("two-cards", control="length-of-the-model", **VLLM)
def two_cards() -> dict[str, float]:
    """Half of the weights and half of the cache on each of two cards."""
    return serve(snippet_text("two-cards"))


@non_fix("more-memory", control="length-of-the-model", **VLLM)
def more_of_the_card() -> dict[str, float]:
    """Nearly all of the card."""
    return serve("vllm serve MODEL --gpu-memory-utilization 0.97")


@reproduce(**VLLM)
def length_of_ones_own() -> dict[str, float]:
    """A length that is needed, and too long for sixteen bits."""
    return serve("vllm serve MODEL --max-model-len 81920")


@fix("fp8", control="length-of-ones-own", **VLLM)
def eight_bits() -> dict[str, float]:
    """The same with eight bits."""
    return serve(snippet_text("fp8"))


@reproduce(**VLLM)
def just_too_long() -> dict[str, float]:
    """Half a gibibyte is missing."""
    return serve("vllm serve MODEL --max-model-len 49152")


@fix("utilization", control="just-too-long", **VLLM)
def a_little_more_of_the_card() -> dict[str, float]:
    """The same, with more of the card."""
    return serve(snippet_text("utilization"))


@detect(found=True, **VLLM)
def needs_more_than_there_is() -> dict[str, Any]:
    """The length of the model."""
    return look(131072)


@detect(found=False, control="needs-more-than-there-is", **VLLM)
def needs_less() -> dict[str, Any]:
    """A shorter length."""
    return look(32768)


if __name__ == "__main__":
    main(__file__)
