"""The command asks vLLM for a method of quantisation that the checkpoint does not have."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import FP8, look, serve

from fixbook.recipe import detect, fix, main, non_fix, reproduce
from fixbook.recipe.helpers.vllm_workers import write_model

VLLM: dict[str, Any] = {
    "versions": [
        "vllm==0.33.0", "compressed-tensors==0.17.0", "loguru==0.7.3", "aiohappyeyeballs==2.7.1",
        "aiohttp==3.14.5", "aiosignal==1.4.0", "apache-tvm-ffi==0.1.11", "cachetools==8.0.1",
        "cbor2==6.3.0", "cloudpickle==3.1.2", "fastapi==0.165.0", "frozenlist==1.8.0",
        "llguidance==1.9.1", "msgspec==0.22.0", "multidict==7.2.1", "openai==3.54.0",
        "openai-harmony==0.0.8", "partial-json-parser==0.2.1.1.post7",
        "prometheus-client==0.26.0", "propcache==0.5.4", "pybase64==1.5.1", "sniffio==1.3.1",
        "uvloop==0.23.0", "xgrammar==0.2.8", "yarl==1.25.1",
    ],
    "env": {"VLLM_TARGET_DEVICE": "cpu", "VLLM_NO_USAGE_STATS": "1"},
    "import_first": "proof_vllm",
    "record_once": "vLLM's wheel is a third of a gigabyte",
}  # fmt: skip


@reproduce(**VLLM)
def another_method() -> dict[str, Any]:
    """The checkpoint is in FP8, and the command asks for AWQ."""
    return serve("awq", checkpoint=FP8)


@reproduce(**VLLM)
def not_quantised() -> dict[str, Any]:
    """The checkpoint is in 16 bits, and the command asks for AWQ."""
    return serve("awq")


@fix("leave-out", control="another-method", **VLLM)
def left_out() -> dict[str, Any]:
    """Nothing in the command."""
    return serve(checkpoint=FP8)


@fix("online", control="not-quantised", **VLLM)
def while_loading() -> dict[str, Any]:
    """A method that quantises while it loads."""
    return serve("fp8_per_tensor")


@non_fix("delete", control="another-method", **VLLM)
def section_deleted() -> dict[str, Any]:
    """The section is taken out of config.json."""
    return serve("awq", checkpoint=None)


@detect(found=True, **VLLM)
def looked_at_awq() -> dict[str, Any]:
    """The page's question, with AWQ in the command."""
    write_model(quantization_config=FP8)
    return look("awq")


@detect(found=False, control="looked-at-awq", **VLLM)
def looked_at_fp8() -> dict[str, Any]:
    """The same with FP8."""
    write_model(quantization_config=FP8)
    return look("fp8")


if __name__ == "__main__":
    main(__file__)
