"""vLLM does not start: a GPU's share of a quantized weight is no whole number of groups."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import AWQ, FP8, GPTQ, OF_14B, load_scales, look, serve, write
from proof_padding import pad

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet_text

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
TWO = "vllm serve MODEL --tensor-parallel-size 2"


@reproduce(**VLLM)
def awq_on_two() -> dict[str, Any]:
    """AWQ in groups of 128, a size of 231 groups, two GPUs."""
    return serve(TWO, AWQ)


@reproduce(**VLLM)
def gptq_on_two() -> dict[str, Any]:
    """The same in GPTQ."""
    return serve(TWO, GPTQ)


@reproduce(**VLLM)
def fp8_on_eight() -> dict[str, Any]:
    """FP8 in blocks of 128, a size of 108 blocks, eight GPUs."""
    return serve("vllm serve MODEL --tensor-parallel-size 8", FP8, OF_14B)


@fix("divisor", control="fp8-on-eight", **VLLM)
def fp8_on_four() -> dict[str, Any]:
    """Four GPUs."""
    return serve(snippet_text("divisor"), FP8, OF_14B)


@fix("pipeline", control="awq-on-two", **VLLM)
def layers_on_two() -> dict[str, Any]:
    """Half of the layers on each."""
    return serve(snippet_text("pipeline"), AWQ)


@fix("pad", control="awq-on-two", **VLLM)
def padded() -> dict[str, Any]:
    """The model was padded before it was quantized."""
    done = pad()
    return done | serve(TWO, AWQ, int(done["size"]))


@fix("groups", control="gptq-on-two", **VLLM)
def groups_of_64() -> dict[str, Any]:
    """Quantized in groups of 64."""
    return serve(TWO, GPTQ | {"group_size": 64})


@non_fix("float16", control="gptq-on-two", **VLLM)
def in_float16() -> dict[str, Any]:
    """The kernel that takes any share, as it wants float16 alone."""
    command = f"{TWO} --dtype float16"
    measure(starts=bool(serve(command, GPTQ)))
    return load_scales(command, GPTQ)


@non_fix("gptq", control="gptq-on-two", **VLLM)
def asked_for_gptq() -> dict[str, Any]:
    """What the message of older releases advises."""
    return serve(f"{TWO} --quantization gptq", GPTQ)


@detect(found=True, **VLLM)
def two_do_not_fit() -> dict[str, Any]:
    """The size of the original."""
    write(AWQ)
    return look(2)


@detect(found=False, control="two-do-not-fit", **VLLM)
def two_fit() -> dict[str, Any]:
    """The size of the padded model."""
    write(AWQ, 29696)
    return look(2)


if __name__ == "__main__":
    main(__file__)
