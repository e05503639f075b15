"""A prompt of more tokens than the server's context: whose limit it is, and what makes room."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "numpy==2.4.6",
#     "requests==2.34.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_server import attempt, checked

from fixbook.recipe import detect, fix, main, non_fix, reproduce

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
LLAMA = ["xllamacpp==2026.10.11549", "gguf==0.19.0"]


@reproduce(versions=LLAMA)
def context_too_small() -> dict[str, Any]:
    """The server was started with a smaller context than the conversation needs."""
    return attempt()


@reproduce(versions=LLAMA)
def divided_among_slots() -> dict[str, Any]:
    """The context would do, and is divided by four."""
    return attempt(context=2048, slots=4)


@reproduce(versions=LLAMA)
def trained_for_less() -> dict[str, Any]:
    """The model was trained for no more."""
    return attempt(trained=512)


@reproduce(**VLLM)
def more_to_write_than_fits() -> dict[str, Any]:
    """More tokens are asked for than vLLM's context has."""
    return checked(page=False)


@fix("fewer-tokens", control="more-to-write-than-fits", **VLLM)
def as_many_as_are_left() -> dict[str, Any]:
    """The page's request, which says nothing of how many."""
    return checked(page=True)


@fix("larger-context", control="context-too-small", versions=LLAMA)
def larger_context() -> dict[str, Any]:
    """A context that holds conversation and answer."""
    return attempt(context=1024)


@fix("slots", control="divided-among-slots", versions=LLAMA)
def one_slot() -> dict[str, Any]:
    """All of it for one request."""
    return attempt(context=2048, slots=1)


@fix("slots", control="divided-among-slots", versions=LLAMA)
def four_times_the_context() -> dict[str, Any]:
    """Four slots, each of the size that is needed."""
    return attempt(context=4096, slots=4)


@fix("shorten", control="context-too-small", versions=LLAMA)
def shortened() -> dict[str, Any]:
    """The oldest questions and answers are left out."""
    return attempt(shorten=True)


@fix("shorten", control="trained-for-less", versions=LLAMA)
def shortened_to_training() -> dict[str, Any]:
    """The same for a model that cannot do more."""
    return attempt(trained=512, shorten=True)


@non_fix("above-training", control="trained-for-less", versions=LLAMA)
def above_training() -> dict[str, Any]:
    """The server takes no more than the model was trained for."""
    return attempt(trained=512, context=2048)


@non_fix("fewer-tokens-to-write", control="context-too-small", versions=LLAMA)
def one_token_to_write() -> dict[str, Any]:
    """The prompt alone is too long."""
    return attempt(max_tokens=1)


@detect(found=True, versions=LLAMA)
def hardly_any_room() -> dict[str, Any]:
    """The prompt fits, and the answer does not."""
    return attempt(turns=4, max_tokens=128)


@detect(found=False, control="hardly-any-room", versions=LLAMA)
def room_for_the_answer() -> dict[str, Any]:
    """Both fit."""
    return attempt(turns=4, max_tokens=128, context=1024)


if __name__ == "__main__":
    main(__file__)
