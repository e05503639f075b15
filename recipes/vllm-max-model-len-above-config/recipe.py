"""vLLM refuses a max_model_len above what the model's config.json says."""
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
import re
from typing import Any

from failure import serve

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
ALLOWED: dict[str, Any] = VLLM | {
    "env": {
        "VLLM_TARGET_DEVICE": "cpu",
        "VLLM_NO_USAGE_STATS": "1",
        "VLLM_ALLOW_LONG_MAX_MODEL_LEN": "1",
    }
}
LONGER = "vllm serve MODEL --max-model-len 4096"
OLD_OPTION = """ --rope-scaling '{"rope_type": "yarn", "factor": 2.0}'"""


def yarn_alone() -> str:
    """Return the command of the page without the length in its overrides."""
    return re.sub(r'"max_position_embeddings": \d+, ', "", snippet_text("yarn"))


def look(length: int) -> dict[str, Any]:
    """Look at the model as the page does, as against a length."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        done = snippet("own")
    return {"found": length > done["own"], "said": printed.getvalue().strip()}


@reproduce(**VLLM)
def longer_than_the_model() -> dict[str, Any]:
    """Twice the positions of the model."""
    return serve(LONGER)


@fix("own-length", control="longer-than-the-model", **VLLM)
def own_length() -> dict[str, Any]:
    """The length of the model."""
    done = serve(snippet_text("auto"))
    return done | look(int(str(done["length"])))


@fix("yarn", control="longer-than-the-model", **VLLM)
def yarn_with_the_length() -> dict[str, Any]:
    """YaRN, and the length that goes with it."""
    return serve(snippet_text("yarn"))


@non_fix("yarn-alone", control="longer-than-the-model", **VLLM)
def yarn_without_the_length() -> dict[str, Any]:
    """YaRN alone."""
    return serve(yarn_alone())


@non_fix("rope-scaling", control="longer-than-the-model", **VLLM)
def old_option() -> dict[str, Any]:
    """The option that was taken away."""
    return serve(LONGER + OLD_OPTION)


@detect(found=True, **ALLOWED)
def longer_and_allowed() -> dict[str, Any]:
    """The variable of the message: it starts, with positions that the model does not know."""
    done = serve(LONGER)
    return done | look(int(str(done["length"])))


@detect(found=False, control="longer-and-allowed", **ALLOWED)
def own_length_and_allowed() -> dict[str, Any]:
    """The same with the model's own length."""
    done = serve("vllm serve MODEL --max-model-len 2048")
    return done | look(int(str(done["length"])))


if __name__ == "__main__":
    main(__file__)
