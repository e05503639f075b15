"""What a file says of itself, and what is not said by a file of full size."""

from __future__ import annotations

from typing import Any

import safetensors
from failure import load, write, write_dtype

from fixbook.recipe import detect, snippet


def look(state: str) -> dict[str, Any]:
    """Say what the page says of the file."""
    path = write(state)
    said = snippet("look", folder=path.parent)["look"](path)
    return {"found": not said.startswith("whole"), "said": said}


@detect(found=True)
def names_the_pointer() -> dict[str, Any]:
    """It begins with a version of Git LFS."""
    return look("pointer")


@detect(found=True)
def counts_the_missing_byte() -> dict[str, Any]:
    """One less than the header promises."""
    return look("last byte missing")


@detect(found=False, control="counts-the-missing-byte")
def accepts_the_whole() -> dict[str, Any]:
    """As many as the header promises."""
    return look("whole")


def unwritten(state: str) -> dict[str, Any]:
    """Load the file, and list what the page lists of it."""
    total = sum(float(tensor.sum()) for tensor in load(state).values())
    zeros = snippet("zeros", path=write(state))["zeros"]
    return {"found": bool(zeros), "zeros": zeros, "sum": total}


@detect(found=True)
def tail_of_zeros() -> dict[str, Any]:
    """Of full size, written by half."""
    return unwritten("zeros")


@detect(found=False, control="tail-of-zeros")
def tail_written() -> dict[str, Any]:
    """The file itself."""
    return unwritten("whole")


def newer(dtype: str) -> dict[str, Any]:
    """See whether a whole file is refused for its dtype."""
    path = write_dtype(dtype)
    whole = snippet("look", folder=path.parent)["look"](path).startswith("whole")
    try:
        with safetensors.safe_open(path, "pt") as file:
            return {"found": False, "whole": whole, "names": list(file.keys())}
    except Exception as error:  # noqa: BLE001 - its class has moved between releases
        return {"found": True, "whole": whole, "error": str(error)}


@detect(found=True, versions=["safetensors==0.4.3"])
def newer_dtype_on_0_4_3() -> dict[str, Any]:
    """A dtype that this release does not know."""
    return newer("F8_E8M0")


@detect(found=False, control="newer-dtype-on-0-4-3")
def newer_dtype() -> dict[str, Any]:
    """The release of today does."""
    return newer("F8_E8M0")
