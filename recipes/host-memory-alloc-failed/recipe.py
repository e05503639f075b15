"""The allocator of torch for host memory is refused what it asks for."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "safetensors==0.8.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import torch
from failure import CEILING, WHOLE, forward, kib, read_weights, save_in_bf16, share
from proof_look import grown, refused, why
from transformers import AutoModelForCausalLM

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import limits, tiny_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable

ONCE = "an older transformers beside the main one, imported anew"
BESIDE = ["tokenizers==0.15.2", "huggingface_hub==0.36.2", "numpy==1.26.4"]
OLD = ["transformers==4.38.2", *BESIDE]
FIXED = ["transformers==4.39.0", *BESIDE]
MILLION = 1 << 20  # positions
LENGTH = 300_000  # tokens of a text


def positions(count: int) -> dict[str, Any]:
    """Run a text of eight tokens through a model for so many positions."""
    rows = torch.ones(1, 8, dtype=torch.long)
    return {"finite": isfinite(forward(rows, measure, positions=count))}


def text(*, cut: bool = False, texts: int = 2) -> dict[str, Any]:
    """Tokenize texts of 300,000 tokens, cut them as the page does or not, and run them."""
    tokenizer, words = tiny_tokenizer(["a"]), ["a" * LENGTH] * texts
    if cut:
        rows = snippet("cut", tokenizer=tokenizer, texts=words)["batch"]["input_ids"]
    else:
        rows = tokenizer(words, return_tensors="pt")["input_ids"]
    measure(length=rows.shape[1], mask_bytes=rows.shape[1] ** 2)
    finite = isfinite(forward(rows, measure))
    with limits(memory=CEILING):
        return {"finite": finite, "found": refused(rows.shape[1] ** 2)["found"]}


def as_float32() -> Any:
    """Read the weights in a type of twice the size."""
    return AutoModelForCausalLM.from_pretrained("model", dtype=torch.float32)


def as_saved() -> Any:
    """Read the weights as the page does."""
    return snippet("as-saved")["model"]


def weights(read: Callable[[], Any]) -> dict[str, Any]:
    """Read 256 MiB of bf16 where 704 MiB are left."""
    save_in_bf16()
    with limits(memory=kib("VmSize") * 1024 + (704 << 20)):
        return {"dtype": str(read().dtype)}


def below_a_limit(*, raised: bool) -> dict[str, Any]:
    """Build a layer of 256 MiB where `ulimit -v` leaves room for 64; raise the limit before."""
    with limits(memory=kib("VmSize") * 1024 + (64 << 20)):
        if raised:
            snippet("raise-it")
        layer = torch.nn.Linear(8192, 8192, bias=False)
    return {"parameters": layer.weight.numel()}


def in_files(files: int) -> dict[str, Any]:
    """Read weights from so many files, and ask the page about the size of one."""
    done = read_weights(files)
    with limits(memory=kib("VmSize") * 1024 + (1536 << 20)):
        return done | {"found": refused(WHOLE // files)["found"]}


@reproduce(versions=OLD, record_once=ONCE)
def million_positions_on_4_38_2() -> dict[str, Any]:
    """A model for a million tokens, and a text of eight."""
    return positions(MILLION)


@fix("newer", control="million-positions-on-4-38-2", versions=FIXED, record_once=ONCE)
def million_positions_on_4_39_0() -> dict[str, Any]:
    """The next release."""
    return positions(MILLION)


@reproduce()
def long_text() -> dict[str, Any]:
    """Two long texts, uncut, and eager attention."""
    return text()


@fix("cut", control="long-text")
def cut_text() -> dict[str, Any]:
    """Their first 1024 tokens."""
    return text(cut=True)


@non_fix("batch-size", control="long-text")
def one_long_text() -> dict[str, Any]:
    """One of them."""
    return text(texts=1)


@reproduce()
def low_limit() -> dict[str, Any]:
    """The machine has it, the process may not."""
    return below_a_limit(raised=False)


@fix("raise", control="low-limit")
def raised_limit() -> dict[str, Any]:
    """The process may."""
    return below_a_limit(raised=True)


@reproduce()
def read_as_float32() -> dict[str, Any]:
    """Twice the bytes of the file."""
    return weights(as_float32)


@fix("as-saved", control="read-as-float32")
def read_as_saved() -> dict[str, Any]:
    """The bytes of the file."""
    return weights(as_saved)


@reproduce()
def one_large_file() -> dict[str, Any]:
    """1 GiB in one file, of which a few bytes are read."""
    return in_files(1)


@fix("parts", control="one-large-file")
def many_small_files() -> dict[str, Any]:
    """The same in files of 64 MiB."""
    return in_files(16)


@reproduce()
def tensor_by_tensor() -> dict[str, Any]:
    """A mapping for each."""
    return share(together=False)


@fix("one", control="tensor-by-tensor")
def one_tensor() -> dict[str, Any]:
    """One mapping."""
    return share(together=True)


@detect(found=True)
def finds_the_limit() -> dict[str, Any]:
    """256 MiB where 64 are left."""
    return why(1 << 28, limited=True)


@detect(found=True)
def finds_the_shape() -> dict[str, Any]:
    """The request of the model for a million tokens."""
    return why(MILLION**2)


@detect(found=False, control="finds-the-limit")
def finds_nothing() -> dict[str, Any]:
    """256 MiB without a limit."""
    return why(1 << 28)


@detect(found=True)
def granted_on_credit() -> dict[str, Any]:
    """Nothing is used yet."""
    return grown(written=False)


@detect(found=False, control="granted-on-credit")
def written() -> dict[str, Any]:
    """Now it is."""
    return grown(written=True)


if __name__ == "__main__":
    main(__file__)
