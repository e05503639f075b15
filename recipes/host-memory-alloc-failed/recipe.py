"""The allocator of torch for host memory is refused what it asks for."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from math import isfinite
from typing import Any

import torch
from failure import CEILING, forward, kib
from proof_look import refused

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import limits

ONCE = "an older transformers beside the main one, imported anew"
BESIDE = ["tokenizers==0.15.2", "huggingface_hub==0.36.2", "numpy==1.26.4"]
OLD = ["transformers==4.38.2", *BESIDE]
FIXED = ["transformers==4.39.0", *BESIDE]
MILLION = 1 << 20  # positions


def text(length: int, batch: int = 1, **options: int) -> dict[str, Any]:
    """Run a forward pass over so many tokens."""
    measure(length=length, mask_bytes=length**2)
    return {"finite": isfinite(forward(length, measure, batch=batch, **options))}


def below_a_limit(*, raised: bool) -> dict[str, Any]:
    """Build a layer of 256 MiB where `ulimit -v` leaves room for 64; raise the limit before."""
    with limits(memory=kib("VmSize") * 1024 + (64 << 20)):
        if raised:
            snippet("raise-it")
        layer = torch.nn.Linear(8192, 8192, bias=False)
    return {"parameters": layer.weight.numel()}


@reproduce(versions=OLD, record_once=ONCE)
def million_positions_on_4_38_2() -> dict[str, Any]:
    """A model for a million tokens, and a text of eight."""
    return text(8, positions=MILLION)


@fix("newer", control="million-positions-on-4-38-2", versions=FIXED, record_once=ONCE)
def million_positions_on_4_39_0() -> dict[str, Any]:
    """The next release."""
    return text(8, positions=MILLION)


@reproduce()
def long_text() -> dict[str, Any]:
    """Two long texts, uncut, and eager attention."""
    return text(300_000, batch=2)


@fix("cut", control="long-text")
def cut_text() -> dict[str, Any]:
    """Their first 1024 tokens."""
    return text(1024, batch=2)


@non_fix("batch-size", control="long-text")
def one_long_text() -> dict[str, Any]:
    """One of them."""
    return text(300_000, batch=1)


def text_looked_at(length: int) -> dict[str, Any]:
    """Ask what refuses the mask of so long a text, below the ceiling of these steps."""
    with limits(memory=CEILING):
        return refused(length**2)


@detect(found=True)
def long_text_looked_at() -> dict[str, Any]:
    """The mask of the long text."""
    return text_looked_at(300_000)


@detect(found=False, control="long-text-looked-at")
def cut_text_looked_at() -> dict[str, Any]:
    """The mask of what is left of it."""
    return text_looked_at(1024)


@reproduce()
def low_limit() -> dict[str, Any]:
    """The machine has it, the process may not."""
    return below_a_limit(raised=False)


@fix("raise", control="low-limit")
def raised_limit() -> dict[str, Any]:
    """The process may."""
    return below_a_limit(raised=True)


if __name__ == "__main__":
    main(__file__)
