"""vLLM does not know bitsandbytes or GGUF any more: each is a package of its own now."""
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

import os
from typing import Any

from failure import satisfied, serve, write_four_bits, write_gguf
from proof_checkpoint import look, save_four_bits

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet, snippet_text
from fixbook.recipe.helpers.vllm_workers import write_model

BESIDE = [
    "compressed-tensors==0.17.0", "loguru==0.7.3", "aiohappyeyeballs==2.7.1", "aiohttp==3.14.5",
    "aiosignal==1.4.0", "apache-tvm-ffi==0.1.11", "cachetools==8.0.1", "cbor2==6.3.0",
    "cloudpickle==3.1.2", "fastapi==0.165.0", "frozenlist==1.8.0", "llguidance==1.9.1",
    "msgspec==0.22.0", "multidict==7.2.1", "openai==3.54.0", "openai-harmony==0.0.8",
    "partial-json-parser==0.2.1.1.post7", "prometheus-client==0.26.0", "propcache==0.5.4",
    "pybase64==1.5.1", "sniffio==1.3.1", "uvloop==0.23.0", "xgrammar==0.2.8", "yarl==1.25.1",
]  # fmt: skip
PLUGINS = ["vllm-bnb-plugin==0.0.3", "vllm-gguf-plugin==0.0.5", "gguf==0.19.0"]
REST: dict[str, Any] = {
    "env": {"VLLM_TARGET_DEVICE": "cpu", "VLLM_NO_USAGE_STATS": "1"},
    "import_first": "proof_vllm",
    "record_once": "vLLM's wheel is a third of a gigabyte",
}
VLLM: dict[str, Any] = {"versions": ["vllm==0.33.0", *BESIDE], **REST}
PLUGGED: dict[str, Any] = {"versions": ["vllm==0.33.0", *BESIDE, *PLUGINS], **REST}
LAST_WITHOUT: dict[str, Any] = {"versions": ["vllm==0.27.1", *BESIDE], **REST}
LAST_AND_PLUGIN: dict[str, Any] = {"versions": ["vllm==0.27.1", *BESIDE, *PLUGINS], **REST}
FIRST_WITH: dict[str, Any] = {"versions": ["vllm==0.28.0", *BESIDE], **REST}

PLAIN = "vllm serve MODEL"
ASKED = "vllm serve MODEL --quantization bitsandbytes"


@reproduce(**VLLM)
def checkpoint() -> dict[str, str]:
    """The checkpoint says that bitsandbytes quantised it, which need not be installed to fail."""
    write_four_bits()
    return serve(PLAIN)


@fix("plugin", control="checkpoint", **PLUGGED)
def plugin_installed() -> dict[str, Any]:
    """The same with the plug-in beside vLLM, and bitsandbytes, which it needs."""
    satisfied(snippet_text("plugin"))
    write_four_bits(bitsandbytes=True)
    return serve(PLAIN) | look()


@fix("sixteen-bits", control="checkpoint", **VLLM)
def in_sixteen_bits() -> dict[str, str]:
    """A checkpoint that was really quantised, turned back."""
    write_four_bits()
    save_four_bits()
    snippet("back")
    return serve(PLAIN.replace("MODEL", "MODEL-16"))


@reproduce(**VLLM)
def asked_for() -> dict[str, str]:
    """Weights in 16 bits, and bitsandbytes asked for in the command."""
    write_model()
    return serve(ASKED)


@fix("fp8", control="asked-for", **VLLM)
def eight_bits() -> dict[str, str]:
    """The same weights in what vLLM has of its own."""
    write_model()
    return serve(snippet_text("fp8"))


@reproduce(**VLLM)
def gguf_file() -> dict[str, str]:
    """A file of GGUF."""
    write_gguf()
    write_model()
    return serve("vllm serve ./model.gguf")


@reproduce(**VLLM)
def gguf_asked_for() -> dict[str, str]:
    """GGUF in the command."""
    write_model()
    return serve("vllm serve MODEL --quantization gguf")


@fix("gguf", control="gguf-file", **PLUGGED)
def gguf_plugin() -> dict[str, str]:
    """The plug-in, and where the configuration is."""
    write_gguf()
    write_model()
    return serve(snippet_text("gguf"))


@reproduce(**FIRST_WITH)
def on_0_28() -> dict[str, str]:
    """The first release without it."""
    write_four_bits(bitsandbytes=True)
    return serve(PLAIN)


@fix("older", control="on-0-28", **LAST_WITHOUT)
def on_0_27() -> dict[str, str]:
    """The last release that has it."""
    write_four_bits(bitsandbytes=True)
    return serve(PLAIN)


@non_fix("bitsandbytes", control="checkpoint", **VLLM)
def bitsandbytes_installed() -> dict[str, str]:
    """Bitsandbytes alone."""
    write_four_bits(bitsandbytes=True)
    return serve(PLAIN)


@non_fix("load-format", control="asked-for", **VLLM)
def load_format_too() -> dict[str, str]:
    """The format of loading beside the method."""
    write_model()
    return serve(ASKED + " --load-format bitsandbytes")


@non_fix("plugin-on-older", control="on-0-28", **LAST_AND_PLUGIN)
def plugin_on_0_27() -> dict[str, str]:
    """The plug-in on a release that has bitsandbytes itself."""
    write_four_bits(bitsandbytes=True)
    return serve(PLAIN)


@detect(found=True, **VLLM)
def without_plugin() -> dict[str, Any]:
    """No plug-in is there."""
    write_four_bits(bitsandbytes=True)
    return look()


@detect(found=False, control="without-plugin", **PLUGGED)
def with_plugin() -> dict[str, Any]:
    """It is there."""
    write_four_bits(bitsandbytes=True)
    return look()


@detect(found=True, **PLUGGED)
def plugin_left_out() -> dict[str, Any]:
    """It is there, and a variable names another one."""
    os.environ["VLLM_PLUGINS"] = "gguf"
    write_four_bits(bitsandbytes=True)
    try:
        taken = serve(PLAIN)["method"] == "bitsandbytes"
    except ValueError:
        taken = False
    return look() | {"taken": taken}


if __name__ == "__main__":
    main(__file__)
