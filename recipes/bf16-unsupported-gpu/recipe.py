"""A card without bf16: vLLM refuses, and torch's own question answers yes."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
from typing import Any

import proof_card  # noqa: F401  # isort: skip  (before torch)
import torch
from failure import serve, train

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet, snippet_text

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
TORCH: dict[str, Any] = {
    "versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96"],
    "import_first": "proof_card",
    "programs": ["cc"],
    "start": "cold",
    "record_once": "torch's build for CUDA is a download of half a gigabyte",
}
T4: dict[str, Any] = {"env": {"STAND_IN_CARD": "7.5"}}
RTX_40: dict[str, Any] = {"env": {"STAND_IN_CARD": "8.9"}}


def ask(dtype: torch.dtype = torch.bfloat16) -> dict[str, Any]:
    """Ask as the page does, of the type that is to be used."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        done = snippet("native")
    said = printed.getvalue().strip()
    return {"found": done["lacks"](dtype), "said": said, "usual": done["usual"]}


@reproduce(**VLLM)
def bfloat16_asked_for() -> dict[str, str]:
    """A script or a framework passes bfloat16 on."""
    return serve("vllm serve MODEL --dtype bfloat16")


@reproduce(**TORCH | T4)
def tf32_on_a_t4() -> dict[str, object]:
    """The same cards have no TF32 either."""
    return train(fp16=True, tf32=True)


@reproduce(**TORCH | T4)
def bf16_and_tf32_on_a_t4() -> dict[str, object]:
    """As scripts for newer cards have it."""
    return train(bf16=True, tf32=True)


@fix("half", control="bfloat16-asked-for", **VLLM)
def half_asked_for() -> dict[str, Any]:
    """Fp16 instead."""
    return serve(snippet_text("half")) | ask(torch.float16)


@fix("auto", control="bfloat16-asked-for", **VLLM)
def nothing_asked_for() -> dict[str, str]:
    """VLLM chooses by the card."""
    return serve(snippet_text("auto"))


@fix("fp16", control="tf32-on-a-t4", **TORCH | T4)
def fp16_on_a_t4() -> dict[str, object]:
    """Fp16, without TF32."""
    return train(fp16=True, tf32=False)


@non_fix("bf16-off", control="bf16-and-tf32-on-a-t4", **TORCH | T4)
def bf16_off_alone() -> dict[str, object]:
    """Bf16 is turned off, TF32 is not."""
    return train(bf16=False, tf32=True)


@detect(found=True, **TORCH | T4)
def asks_of_a_t4() -> dict[str, Any]:
    """No bf16 in the card; the Trainer takes it all the same."""
    return ask() | train(bf16=True)


@detect(found=False, control="asks-of-a-t4", **TORCH | RTX_40)
def asks_of_an_rtx_40() -> dict[str, Any]:
    """A card that has it."""
    return ask() | train(bf16=True)


if __name__ == "__main__":
    main(__file__)
