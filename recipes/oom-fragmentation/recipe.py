"""Memory is free, in pieces that are too small: tensors that stay lie between those that go."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
import random
import subprocess
from typing import Any

import proof_card  # noqa: F401  # isort: skip  (before torch)
import torch
from failure import train

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet, snippet_text

CARD: dict[str, Any] = {
    "import_first": "proof_card",
    "programs": ["cc"],
    "start": "cold",
    "record_once": "torch's build for CUDA is a download of half a gigabyte or more",
    "versions": ["torch==2.14.1", "nvidia-cuda-runtime==13.0.96"],
}
OLDER: dict[str, Any] = CARD | {"versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96"]}
GROWING: dict[str, Any] = {"env": {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}}
NEW_NAME: dict[str, Any] = {"env": {"PYTORCH_ALLOC_CONF": "expandable_segments:True"}}
ROUNDED: dict[str, Any] = {"env": {"PYTORCH_CUDA_ALLOC_CONF": "roundup_power2_divisions:4"}}
drawn = random.Random(11)
LENGTHS = [drawn.randrange(200, 1800, 20) for _ in range(40)]
TOO_LONG = 3000


def exported(name: str) -> None:
    """Take over what the page's line exports."""
    done = subprocess.run(
        ["bash", "-c", f"{snippet_text(name)}\nprintenv PYTORCH_CUDA_ALLOC_CONF"],
        capture_output=True,
        text=True,
        check=True,
    )
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = done.stdout.strip()


def figures(lengths: list[int]) -> dict[str, Any]:
    """Read the figures of the error that these lengths end in."""
    try:
        train(lengths)
    except torch.OutOfMemoryError as error:
        seen = snippet("figures", message=str(error))
        return {"found": seen["fragmented"], "wanted": seen["wanted"], "idle": seen["idle"]}
    raise AssertionError("it fits")


def trained(
    lengths: list[int] = LENGTHS, *, export: str = "", late: str = "", **options: Any
) -> dict[str, Any]:
    """Train; then read the error of a batch that is too long."""
    if export:
        exported(export)
    if late:
        torch.empty(1, device="cuda")
        exported(late)
    measure(settings=os.environ.get("PYTORCH_CUDA_ALLOC_CONF", ""), longest=max(lengths))
    try:
        batches = train(lengths, **options)
    finally:
        stats = torch.cuda.memory_stats()
        measure(
            allocated=stats["allocated_bytes.all.peak"], reserved=stats["reserved_bytes.all.peak"]
        )
    return {"batches": batches} | figures([TOO_LONG])


@reproduce(**CARD)
def lengths_differ() -> Any:
    """Batches of different lengths."""
    return trained()


@reproduce(**OLDER)
def lengths_differ_with_an_older_torch() -> Any:
    """The same with torch 2.11."""
    return trained()


@fix("segments", control="lengths-differ", **CARD)
def expandable() -> Any:
    """Segments that grow."""
    return trained(export="segments")


@fix("segments", control="lengths-differ", **CARD | NEW_NAME)
def expandable_by_the_new_name() -> Any:
    """The variable's newer name, set before the start."""
    return trained()


@fix("segments", control="lengths-differ-with-an-older-torch", **OLDER | GROWING)
def expandable_with_an_older_torch() -> Any:
    """The same setting with torch 2.11, set before the start."""
    return trained()


@fix("split", control="lengths-differ", **CARD)
def larger_blocks_stay_whole() -> Any:
    """Large blocks are not split."""
    return trained(export="split")


@fix("offload", control="lengths-differ", **CARD)
def kept_on_the_host() -> Any:
    """What stays lies on the host."""
    return trained(keep_on="cpu")


@fix("offload", control="lengths-differ", **CARD)
def nothing_kept() -> Any:
    """Nothing stays at all."""
    return trained(queue=0)


@fix("pad", control="lengths-differ", **CARD)
def one_length() -> Any:
    """All batches are padded to the longest."""
    return trained([max(LENGTHS)] * len(LENGTHS))


@fix("empty", control="lengths-differ", **CARD)
def cache_emptied() -> Any:
    """The cache is emptied before each batch."""
    return trained(between=torch.cuda.empty_cache)


@non_fix("late", control="lengths-differ", **CARD)
def set_too_late() -> Any:
    """The variable is set after the first tensor."""
    return trained(late="segments")


@non_fix("round", control="lengths-differ", **CARD | ROUNDED)
def rounded_up() -> Any:
    """Sizes are rounded up."""
    return trained()


@detect(found=True, **CARD)
def reads_lengths_that_differ() -> dict[str, Any]:
    """The error of batches of different lengths."""
    return figures(LENGTHS)


@detect(found=False, control="reads-lengths-that-differ", **CARD)
def reads_one_that_is_too_long() -> dict[str, Any]:
    """The error of a batch that is too long."""
    return figures([TOO_LONG])


if __name__ == "__main__":
    main(__file__)
