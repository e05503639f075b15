"""The card is full before the program takes anything: another process holds its memory."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import gc
import io
import os
from typing import Any

import proof_card  # noqa: F401  # isort: skip  (before torch)
import torch
from failure import GIB, load

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

CARD: dict[str, Any] = {
    "import_first": "proof_card",
    "programs": ["cc"],
    "start": "cold",
    "record_once": "torch's build for CUDA is a download of half a gigabyte or more",
    "versions": ["torch==2.14.1", "nvidia-cuda-runtime==13.0.96"],
}
OLDER: dict[str, Any] = CARD | {"versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96"]}
HELD: dict[str, Any] = {"env": {"HELD_GIB": "6"}}
FREE: dict[str, Any] = {"env": {"HELD_GIB": "0"}}
GROWING: dict[str, Any] = {
    "env": {"HELD_GIB": "6", "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}
}
CONTAINER: dict[str, Any] = {"env": {"HELD_GIB": "0", "SEEN_AS": "1777"}}
WEIGHTS, TOO_LARGE = 3.0, 5.0  # GiB, on cards of 8


def loaded(device: str = "cuda", *, clean: bool = False) -> dict[str, Any]:
    """Load a model, after this process's memory was cleaned if asked."""
    if clean:
        gc.collect()
        torch.cuda.empty_cache()
    free, total = torch.cuda.mem_get_info()
    settings = os.environ.get("PYTORCH_CUDA_ALLOC_CONF", "")
    measure(free=free, total=total, asked=int(WEIGHTS * GIB), settings=settings, clean=clean)
    return {"loaded": load(WEIGHTS, device).numel()}


@reproduce(**CARD | HELD)
def held_by_another() -> Any:
    """Another process holds most of the card."""
    return loaded()


@reproduce(**OLDER | HELD)
def held_with_an_older_torch() -> Any:
    """The same with torch 2.11."""
    return loaded()


@fix("end", control="held-by-another", **CARD | FREE)
def alone_on_the_card() -> Any:
    """Nobody holds anything."""
    return loaded()


@fix("another-card", control="held-by-another", **CARD | HELD)
def on_the_card_with_most_memory() -> Any:
    """The page's lines choose the card."""
    return loaded(device=snippet("choose")["device"])


@non_fix("empty", control="held-by-another", **CARD | HELD)
def cache_emptied() -> Any:
    """The cache is emptied, and garbage collected."""
    return loaded(clean=True)


@non_fix("segments", control="held-by-another", **CARD | GROWING)
def segments_that_grow() -> Any:
    """As the message advises."""
    return loaded()


def looked() -> dict[str, Any]:
    """Run the page's check."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        seen = snippet("look")
    return {"found": seen["others"] > GIB, "said": printed.getvalue().strip()}


@detect(found=True, **CARD | HELD)
def looks_at_a_card_that_is_held() -> dict[str, Any]:
    """Another process holds most of the card."""
    return looked()


@detect(found=False, control="looks-at-a-card-that-is-held", **CARD | FREE)
def looks_at_a_free_card() -> dict[str, Any]:
    """Nobody holds anything."""
    return looked()


@detect(found=False, control="looks-at-a-card-that-is-held", **CARD | CONTAINER)
def own_process_under_another_id() -> dict[str, Any]:
    """A container with process ids of its own: the message lists this very process by another."""
    kept = load(TOO_LARGE)
    try:
        load(TOO_LARGE)
    except torch.OutOfMemoryError as error:
        measure(message=str(error).partition(" If reserved")[0], held=kept.numel())
    return looked()


if __name__ == "__main__":
    main(__file__)
