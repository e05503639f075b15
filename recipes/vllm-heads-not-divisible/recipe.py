"""vLLM does not start: the attention heads cannot be split evenly over the GPUs."""
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
from proof_sizes import look

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
def eight_gpus() -> dict[str, int]:
    """28 heads over 8 GPUs."""
    return serve("vllm serve MODEL --tensor-parallel-size 8")


@fix("divisor", control="eight-gpus", **VLLM)
def four_gpus() -> dict[str, Any]:
    """28 heads over 4 GPUs."""
    return serve(snippet_text("divisor")) | look(4)


@fix("pipeline", control="eight-gpus", **VLLM)
def four_by_two() -> dict[str, int]:
    """All 8 GPUs: half of the layers on each four."""
    return serve(snippet_text("pipeline"))


@fix("copies", control="eight-gpus", **VLLM)
def two_copies() -> dict[str, int]:
    """All 8 GPUs: the whole model on each four."""
    return serve(snippet_text("copies"))


@reproduce(**VLLM)
def three_gpus() -> dict[str, int]:
    """28 heads over 3 GPUs."""
    return serve("vllm serve MODEL --tensor-parallel-size 3")


@fix("layers", control="three-gpus", **VLLM)
def layers_alone() -> dict[str, int]:
    """The layers over 3 GPUs, and no heads."""
    return serve(snippet_text("layers"))


@detect(found=True, **VLLM)
def size_does_not_fit() -> dict[str, Any]:
    """Eight is no size that fits."""
    return look(8)


@detect(found=False, control="size-does-not-fit", **VLLM)
def size_fits() -> dict[str, Any]:
    """Two is one."""
    return look(2)


@detect(found=True, **VLLM)
def heads_of_the_cache_do_not_fit() -> dict[str, Any]:
    """Seven divides 28 heads, and does not go into 4 KV heads."""
    return look(7)


if __name__ == "__main__":
    main(__file__)
