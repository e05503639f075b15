"""vLLM does not start: fewer tokens a step than a sequence has, or than there are sequences."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import re
from typing import Any

from failure import serve

from fixbook.recipe import detect, fix, main, measure, reproduce, snippet, snippet_text

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
WHOLE = (
    "vllm serve MODEL --max-model-len 8192 --max-num-batched-tokens 2048 "
    "--no-enable-chunked-prefill"
)
FEW = "vllm serve MODEL --max-model-len 8192 --max-num-batched-tokens 64 --max-num-seqs 128"

WHOLE_ITEMS = (
    "vllm serve MODEL --max-model-len 8192 --max-num-batched-tokens 2048 --disable-chunked-mm-input"
)
ITEM = 2496  # tokens of a picture of Gemma 4


def look(command: str, item: int = 0) -> dict[str, Any]:
    """Do the arithmetic of the page for a command line."""
    given = {name: int(number) for name, number in re.findall(r"--([\w-]+) (\d+)", command)}
    fits = snippet("fits")["fits"](
        tokens=given["max-num-batched-tokens"],
        length=given["max-model-len"],
        sequences=given.get("max-num-seqs", 1),
        chunks="--no-enable-chunked-prefill" not in command,
        item=item if "--disable-chunked-mm-input" in command else 0,
    )
    return {"found": not fits}


def start(command: str, item: int = 0) -> dict[str, object]:
    """Look, and let vLLM check the command line."""
    measure(**look(command, item))
    return serve(command, item)


@reproduce(**VLLM)
def whole_prompts() -> dict[str, object]:
    """Prompts are not cut into chunks, and a step takes fewer tokens than a prompt may have."""
    return start(WHOLE)


@fix("chunks", control="whole-prompts", **VLLM)
def cut_into_chunks() -> dict[str, object]:
    """The same limits, with chunks."""
    return start(snippet_text("chunks"))


@fix("tokens", control="whole-prompts", **VLLM)
def more_tokens() -> dict[str, object]:
    """As many tokens as a prompt may have."""
    return start(snippet_text("tokens"))


@fix("length", control="whole-prompts", **VLLM)
def shorter_prompts() -> dict[str, object]:
    """A length that a step takes."""
    return start(snippet_text("length"))


@reproduce(**VLLM)
def few_tokens() -> dict[str, object]:
    """Fewer tokens than sequences."""
    return start(FEW)


@fix("sequences", control="few-tokens", **VLLM)
def fewer_sequences() -> dict[str, object]:
    """No more sequences than tokens."""
    return start(snippet_text("sequences"))


@reproduce(**VLLM)
def picture_above_a_step() -> dict[str, object]:
    """A picture has to be taken whole, and has more tokens than a step."""
    return start(WHOLE_ITEMS, ITEM)


@fix("whole-items", control="picture-above-a-step", **VLLM)
def picture_within_a_step() -> dict[str, object]:
    """A step takes the picture."""
    return start(f"{snippet_text('items').strip()} --disable-chunked-mm-input", ITEM)


@fix("whole-items", control="picture-above-a-step", **VLLM)
def picture_in_chunks() -> dict[str, object]:
    """The option is left out."""
    return start(WHOLE_ITEMS.replace(" --disable-chunked-mm-input", ""), ITEM)


@detect(found=True, **VLLM)
def whole_prompts_do_not_fit() -> dict[str, Any]:
    """The limits that fail."""
    return look(WHOLE)


@detect(found=True, **VLLM)
def sequences_do_not_fit() -> dict[str, Any]:
    """The others that do."""
    return look(FEW)


@detect(found=True, **VLLM)
def picture_does_not_fit() -> dict[str, Any]:
    """One picture above a step."""
    return look(WHOLE_ITEMS, ITEM)


@detect(found=False, control="whole-prompts-do-not-fit", **VLLM)
def chunks_fit() -> dict[str, Any]:
    """With chunks they fit."""
    return look(snippet_text("chunks"))


if __name__ == "__main__":
    main(__file__)
