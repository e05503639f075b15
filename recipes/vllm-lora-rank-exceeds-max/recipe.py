"""vLLM refuses a LoRA adapter: its rank is greater than max_lora_rank."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import serve, train
from proof_adapter import SERVED, from_python, look, look_and_serve, serve_1024

from fixbook.recipe import detect, fix, main, reproduce, snippet_text

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
def rank_32() -> dict[str, int]:
    """An adapter of rank 32, and nothing set."""
    train(r=32)
    return serve(SERVED)


@fix("raise", control="rank-32", **VLLM)
def limit_raised() -> dict[str, Any]:
    """The same with the limit raised."""
    train(r=32)
    return serve(snippet_text("raise")) | look(32)


@reproduce(**VLLM)
def rank_of_one_layer() -> dict[str, int]:
    """Rank 8, but for one kind of layer."""
    train(r=8, rank_pattern={"q_proj": 64})
    return serve(SERVED)


@reproduce(**VLLM)
def limit_of_48() -> dict[str, int]:
    """An adapter of rank 48, and the same number as the limit."""
    train(r=48)
    return serve(f"{SERVED} --max-lora-rank 48")


@reproduce(**VLLM)
def limit_of_48_in_python() -> dict[str, int]:
    """The same from Python."""
    train(r=48)
    return from_python(enable_lora=True, max_lora_rank=48)


@fix("round", control="limit-of-48", **VLLM)
def limit_rounded_up() -> dict[str, int]:
    """The next number that vLLM takes."""
    train(r=48)
    return serve(snippet_text("round"))


@reproduce(**VLLM)
def rank_1024() -> dict[str, float]:
    """An adapter above the largest limit."""
    return serve_1024()


@fix("merge", control="rank-1024", **VLLM)
def merged() -> dict[str, float]:
    """The same adapter, added into the model's weights."""
    return serve_1024(merged=True)


@detect(found=True, **VLLM)
def above_the_limit() -> dict[str, Any]:
    """Rank 32."""
    return look_and_serve(r=32)


@detect(found=False, control="above-the-limit", **VLLM)
def at_the_limit() -> dict[str, Any]:
    """Rank 16."""
    return look_and_serve(r=16)


@detect(found=True, **VLLM)
def one_layer_above_the_limit() -> dict[str, Any]:
    """Rank 8, and 64 for one kind of layer."""
    return look_and_serve(r=8, rank_pattern={"q_proj": 64})


if __name__ == "__main__":
    main(__file__)
