"""A quantized checkpoint whose format needs a library that is not there, or another one."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "bitsandbytes==0.50.2",
#     "accelerate==1.15.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_formats import looked, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = [
    "transformers==4.57.6",
    "huggingface_hub==0.36.0",
    "tokenizers==0.22.1",
    "datasets==4.8.4",
    *HTTP,
]
FIRST_5 = ["transformers==5.0.0", "tokenizers==0.22.1", "huggingface_hub==1.17.0", *HTTP]
COMPRESSED = ["compressed-tensors==0.20.1", "loguru==0.7.3"]
AUTOAWQ = ["autoawq==0.2.9"]
OPTIMUM = ["optimum==2.3.0"]
GPTQMODEL = [
    "gptqmodel==7.6.0",
    "defuser==0.0.28",
    "device-smi==0.5.7",
    "logbar==0.4.15",
    "pypcre==0.6.4",
    "threadpoolctl==3.8.0",
    "tokenicer==0.0.14",
]
ONCE = "other releases beside the main environment, imported anew"


@reproduce()
def awq() -> dict[str, Any]:
    """AWQ on today's release."""
    return run("awq")


@reproduce()
def gptq() -> dict[str, Any]:
    """GPTQ on today's release."""
    return run("gptq")


@reproduce()
def compressed() -> dict[str, Any]:
    """compressed-tensors on today's release."""
    return run("compressed-tensors")


@reproduce(versions=LAST_4, record_once=ONCE)
def awq_on_4() -> dict[str, Any]:
    """AWQ on the last release of 4."""
    return run("awq")


@reproduce(versions=FIRST_5, record_once=ONCE)
def awq_on_5_0() -> dict[str, Any]:
    """AWQ on the first release of 5."""
    return run("awq")


@reproduce(versions=LAST_4, record_once=ONCE)
def compressed_on_4() -> dict[str, Any]:
    """compressed-tensors on the last release of 4."""
    return run("compressed-tensors")


@detect(found=True)
def finds_gptq() -> dict[str, Any]:
    """Two libraries are missing."""
    return looked("gptq")


@detect(found=True)
def finds_compressed() -> dict[str, Any]:
    """One library is missing."""
    return looked("compressed-tensors")


@detect(found=False, control="finds-compressed", versions=COMPRESSED, record_once=ONCE)
def accepts_installed() -> dict[str, Any]:
    """The library is there."""
    return looked("compressed-tensors")


@detect(found=False, control="finds-gptq", versions=[*GPTQMODEL, *OPTIMUM], record_once=ONCE)
def accepts_gptqmodel() -> dict[str, Any]:
    """Both libraries are there."""
    return looked("gptq")


@detect(found=False, control="finds-gptq")
def accepts_the_original() -> dict[str, Any]:
    """A checkpoint that is not quantized."""
    return looked("gptq", folder="original")


@fix("install", control="compressed", versions=COMPRESSED, record_once=ONCE)
def compressed_installed() -> dict[str, Any]:
    """The library that the message names."""
    return run("compressed-tensors")


@fix("install", control="compressed", versions=COMPRESSED, record_once=ONCE)
def compressed_dequantized() -> dict[str, Any]:
    """The same, with ordinary weights."""
    return run("compressed-tensors", "dequantize")


@fix("gptqmodel", control="awq", versions=GPTQMODEL, record_once=ONCE)
def awq_installed() -> dict[str, Any]:
    """AWQ by GPT-QModel."""
    return run("awq")


@fix("gptqmodel", control="gptq", versions=[*GPTQMODEL, *OPTIMUM], record_once=ONCE)
def gptq_installed() -> dict[str, Any]:
    """GPTQ by GPT-QModel and optimum."""
    return run("gptq")


@fix("newer-transformers", control="awq-on-4", versions=GPTQMODEL, record_once=ONCE)
def awq_on_5_instead() -> dict[str, Any]:
    """The release of today, with the library that it asks for."""
    return run("awq")


@fix("original", control="awq")
def awq_original() -> dict[str, Any]:
    """The original, quantized by bitsandbytes while loading."""
    return run("awq", "original")


@fix("original", control="gptq")
def gptq_original() -> dict[str, Any]:
    """The same in place of GPTQ."""
    return run("gptq", "original")


@non_fix("autoawq", control="awq", versions=AUTOAWQ, record_once=ONCE)
def awq_with_autoawq() -> dict[str, Any]:
    """The library that transformers 4 asked for."""
    return run("awq")


@non_fix("optimum-alone", control="gptq", versions=OPTIMUM, record_once=ONCE)
def gptq_with_optimum() -> dict[str, Any]:
    """The one library that the message names."""
    return run("gptq")


@non_fix("strip", control="compressed")
def config_stripped() -> dict[str, Any]:
    """config.json without quantization_config."""
    return run("compressed-tensors", "strip")


if __name__ == "__main__":
    main(__file__)
