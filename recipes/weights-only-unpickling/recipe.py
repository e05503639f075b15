"""torch.load refuses a file whose objects are not on its list of allowed names."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "numpy==2.4.6"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import torch
from failure import as_numpy_1, save, train
from numpy.core.multiarray import _reconstruct  # the name that the message gives
from proof_names import look

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import tiny_llama

RNG = Path("out/checkpoint-2/rng_state.pth")


def load(*, plain: bool = False, allowed: bool = False, **options: Any) -> dict[str, Any]:
    """Save a checkpoint, load it, with the page's code if ``allowed``, and say what came back."""
    save(Path("run.pt"), plain=plain)
    page = snippet("allow", path="run.pt") if allowed else {}
    args = (page.get("checkpoint") or torch.load("run.pt", **options))["args"]
    values = args if isinstance(args, dict) else vars(args)
    return {"type": type(args).__name__, "lr": values["lr"]}


def resume(**done: Any) -> dict[str, Any]:
    """Train for four steps, then again from the second, and compare the losses.

    Args:
        **done: What is done before: ``rename`` gives the RNG state the names of NumPy 1,
            ``again`` saves it as the page does, ``advice`` follows the message, ``variable`` sets
            the environment variable, ``delete`` deletes the state.
    """
    straight = train(tiny_llama(attention_dropout=0.5), 4)
    if done.get("rename", True):
        as_numpy_1(RNG)
    if done.get("again"):
        snippet("save-again", checkpoint=str(RNG.parent))
    if done.get("advice"):
        torch.serialization.add_safe_globals([_reconstruct])
        measure(listed=_reconstruct in torch.serialization.get_safe_globals())
    if done.get("variable"):
        os.environ["TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"] = "1"
        measure(plain_load=sorted(torch.load(RNG)))
    if done.get("delete"):
        RNG.unlink()
    missing = snippet("rng-state", checkpoint=str(RNG.parent))["missing"]
    resumed = train(tiny_llama(attention_dropout=0.5), 4, RNG.parent)
    apart = [abs(a - b) for a, b in zip(straight, resumed, strict=True)]
    return {"found": missing, "off_by": max(apart)}


@reproduce()
def args_saved() -> dict[str, Any]:
    """A Namespace among the tensors."""
    return load()


@fix("allow", control="args-saved")
def args_allowed() -> dict[str, Any]:
    """The same file, with what it holds allowed by name."""
    return load(allowed=True)


@fix("trust", control="args-saved")
def args_trusted() -> dict[str, Any]:
    """The same file, unpickled whatever it holds."""
    return load(weights_only=False)


@fix("plain-values", control="args-saved")
def args_plain() -> dict[str, Any]:
    """A dict of numbers instead of the Namespace."""
    return load(plain=True)


@reproduce()
def resumed_from_numpy_1() -> dict[str, Any]:
    """The Trainer allows the names of the NumPy that is installed."""
    return resume()


@fix("save-again", control="resumed-from-numpy-1")
def resumed_after_saving_again() -> dict[str, Any]:
    """The NumPy of today writes the names of today."""
    return resume(again=True)


@non_fix("printed-advice", control="resumed-from-numpy-1")
def resumed_as_advised() -> dict[str, Any]:
    """What is allowed is known by its name of today."""
    return resume(advice=True)


@reproduce()
def resumed_with_the_variable() -> dict[str, Any]:
    """The variable sets a default; the Trainer says what it wants."""
    return resume(variable=True)


@detect(found=True)
def resumed_without_rng() -> dict[str, Any]:
    """No error, and another dropout."""
    return resume(rename=False, delete=True)


@detect(found=False, control="resumed-without-rng")
def resumed_with_rng() -> dict[str, Any]:
    """The same steps as without an interruption."""
    return resume(rename=False)


@detect(found=False, control="names-the-namespace")
def names_nothing_once_allowed() -> dict[str, Any]:
    """The list is of names that are not allowed yet."""
    return look(argparse.Namespace(lr=1e-3), allowed=True)


if __name__ == "__main__":
    main(__file__)
