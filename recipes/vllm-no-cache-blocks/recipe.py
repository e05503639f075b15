"""vLLM does not start: the weights and a forward take the whole share of the card."""
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
from proof_budget import LARGE, PICTURES, USUAL, look

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
def small_share() -> dict[str, float]:
    """A share of the card that the weights alone exceed."""
    return serve("vllm serve MODEL --max-model-len 8192 --gpu-memory-utilization 0.6", USUAL)


@fix("share", control="small-share", **VLLM)
def larger_share() -> dict[str, Any]:
    """A larger share of the same card."""
    return serve(snippet_text("share"), USUAL) | look(0.9)


@reproduce(**VLLM)
def short_length() -> dict[str, float]:
    """A shorter length, in the same share."""
    return serve("vllm serve MODEL --max-model-len 1024 --gpu-memory-utilization 0.6", USUAL)


@reproduce(**VLLM)
def large_model() -> dict[str, float]:
    """Weights that leave the card no room for a forward."""
    return serve("vllm serve MODEL --max-model-len 8192", LARGE)


@fix("two-cards", control="large-model", **VLLM)
def two_cards() -> dict[str, float]:
    """Half of the weights on each of two cards."""
    return serve(snippet_text("two-cards"), LARGE)


@reproduce(**VLLM)
def large_forward() -> dict[str, float]:
    """The weights fit; a forward takes as much again, as with large pictures."""
    return serve("vllm serve MODEL --max-num-batched-tokens 8192", USUAL, for_a_token=PICTURES)


@fix("smaller-forward", control="large-forward", **VLLM)
def smaller_forward() -> dict[str, float]:
    """Fewer tokens in a step."""
    return serve(snippet_text("smaller-forward"), USUAL, for_a_token=PICTURES)


@non_fix("nearly-all", control="large-model", **VLLM)
def nearly_all_of_the_card() -> dict[str, float]:
    """Nearly all of the card, for the large model."""
    return serve("vllm serve MODEL --max-model-len 8192 --gpu-memory-utilization 0.97", LARGE)


@detect(found=True, **VLLM)
def weights_exceed_the_share() -> dict[str, Any]:
    """The small share."""
    return look(0.6)


@detect(found=True, **VLLM)
def forward_exceeds_the_rest() -> dict[str, Any]:
    """A share that leaves some of itself beside the weights, and too little for a forward."""
    return look(0.68)


@detect(found=False, control="weights-exceed-the-share", **VLLM)
def weights_fit_the_share() -> dict[str, Any]:
    """The share that vLLM takes by itself."""
    return look(0.92)


@detect(found=True, **VLLM)
def large_model_on_one_card() -> dict[str, Any]:
    """The large model on one card, with that share."""
    return look(0.92, LARGE)


@detect(found=False, control="large-model-on-one-card", **VLLM)
def large_model_on_two_cards() -> dict[str, Any]:
    """The same, computed for two cards and started on them."""
    return look(0.92, LARGE, cards=2)


if __name__ == "__main__":
    main(__file__)
