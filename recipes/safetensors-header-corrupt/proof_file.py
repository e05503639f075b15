"""What a file says of itself, and what is not said by a file of full size."""

from __future__ import annotations

from typing import Any

import safetensors
from failure import load, write, write_header

from fixbook.recipe import detect, measure, snippet


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


@detect(found=True)
def names_the_zeros() -> dict[str, Any]:
    """No length, and no header."""
    return look("all zeros")


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


def sound(dtype: str, length: int = 0) -> dict[str, Any]:
    """See whether a whole file is refused for its dtype, or for the length of its header."""
    path = write_header(dtype, length)
    whole = snippet("look", folder=path.parent)["look"](path).startswith("whole")
    measure(length=length)
    try:
        with safetensors.safe_open(path, "pt") as file:
            return {"found": False, "whole": whole, "names": list(file.keys())}
    except Exception as error:  # noqa: BLE001 - its class has moved between releases
        return {"found": True, "whole": whole, "error": str(error)}


@detect(found=True, versions=["safetensors==0.4.3"])
def newer_dtype_on_0_4_3() -> dict[str, Any]:
    """A dtype that this release does not know."""
    return sound("F8_E8M0")


@detect(found=False, control="newer-dtype-on-0-4-3")
def newer_dtype() -> dict[str, Any]:
    """The release of today does."""
    return sound("F8_E8M0")


@detect(found=True)
def header_over_100_mb() -> dict[str, Any]:
    """One byte over the limit."""
    return sound("U8", 100_000_001)


@detect(found=False, control="header-over-100-mb")
def header_of_100_mb() -> dict[str, Any]:
    """As many as are allowed."""
    return sound("U8", 100_000_000)
