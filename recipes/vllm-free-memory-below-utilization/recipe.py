"""vLLM does not start: less of the card is free than gpu_memory_utilization asks for."""
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
from proof_card import look

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
def little_missing() -> dict[str, float]:
    """A desktop or a driver holds two gibibytes."""
    return serve("vllm serve MODEL --max-model-len 8192", free=22)


@fix("share", control="little-missing", **VLLM)
def smaller_share() -> dict[str, Any]:
    """A share below what is free."""
    return serve(snippet_text("share"), free=22) | look(free=22, share=0.9)


@reproduce(**VLLM)
def other_process() -> dict[str, float]:
    """Another process holds half of the card."""
    return serve("vllm serve MODEL --max-model-len 8192", free=12)


@fix("end", control="other-process", **VLLM)
def process_ended() -> dict[str, float]:
    """The other process is gone."""
    return serve("vllm serve MODEL --max-model-len 8192", free=23.5)


@fix("beside", control="other-process", **VLLM)
def beside_the_other() -> dict[str, float]:
    """A share that fits beside the other process."""
    return serve(snippet_text("beside"), free=12)


@reproduce(**VLLM)
def short_length() -> dict[str, float]:
    """A shorter length, beside the other process."""
    return serve("vllm serve MODEL --max-model-len 1024", free=12)


@reproduce(**VLLM)
def percent() -> dict[str, float]:
    """The share given in percent."""
    return serve("vllm serve MODEL --max-model-len 8192 --gpu-memory-utilization 90", free=23.5)


@fix("fraction", control="percent", **VLLM)
def as_fraction() -> dict[str, float]:
    """The share as a fraction."""
    return serve(snippet_text("fraction"), free=23.5)


@detect(found=True, **VLLM)
def less_is_free() -> dict[str, Any]:
    """Half of the card is free."""
    return look(free=12, share=0.92)


@detect(found=False, control="less-is-free", **VLLM)
def enough_is_free() -> dict[str, Any]:
    """All of the card is free, but for its context."""
    return look(free=23.5, share=0.92)


if __name__ == "__main__":
    main(__file__)
