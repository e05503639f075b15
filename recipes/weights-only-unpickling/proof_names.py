"""What a file would import, and which names NumPy 1 writes into it."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from numpy.core.multiarray import scalar  # numpy._core of NumPy 2, in releases of both

from fixbook.recipe import detect, fix, measure, reproduce, snippet


def look(args: Any, *, allowed: bool = False) -> dict[str, Any]:
    """List what the page lists of a file that holds this; ``allowed``: with that name allowed."""
    torch.save({"weight": torch.ones(2), "args": args}, "run.pt")
    with torch.serialization.safe_globals([type(args)] if allowed else []):
        names = snippet("look", path="run.pt")["names"]
    return {"found": bool(names), "names": names}


@detect(found=True)
def names_the_namespace() -> dict[str, Any]:
    """The name, without running anything of the file."""
    return look(argparse.Namespace(lr=1e-3))


@detect(found=False, control="names-the-namespace")
def names_nothing() -> dict[str, Any]:
    """Numbers need no import."""
    return look({"lr": 1e-3})


@detect(found=True)
def names_a_numpy_scalar() -> dict[str, Any]:
    """A loss that NumPy averaged is no number of Python."""
    return look(np.mean([0.5, 1.5]))


@reproduce(versions=["numpy==1.26.4"])
def saved_by_numpy_1() -> None:
    """NumPy 1 writes numpy.core, and no NumPy is on torch's own list."""
    torch.save({"numpy": np.random.get_state()}, "rng.pth")  # noqa: NPY002 - what libraries save
    measure(names=sorted(torch.serialization.get_unsafe_globals_in_checkpoint("rng.pth")))
    torch.load("rng.pth")


def loss(*classes: Any) -> dict[str, Any]:
    """Load a loss that NumPy averaged, with its names allowed, and these classes."""
    torch.save({"loss": np.mean([0.5, 1.5])}, "run.pt")
    measure(names=sorted(torch.serialization.get_unsafe_globals_in_checkpoint("run.pt")))
    names = [np.dtype, scalar]
    with torch.serialization.safe_globals([*names, *classes]):
        return {"loss": float(torch.load("run.pt")["loss"])}


@reproduce()
def loss_by_name() -> dict[str, Any]:
    """The class of its dtype is made while loading, and stands nowhere in the file."""
    return loss()


@fix("allow", control="loss-by-name")
def loss_by_name_and_class() -> dict[str, Any]:
    """That class besides."""
    return loss(type(np.dtype("float64")))
