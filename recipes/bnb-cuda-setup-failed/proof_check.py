"""What the page's checks say of the libraries, and a build of torch for the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from failure import train
from proof_gpu import CUDA_12, bring, compile_libraries, say_cuda

from fixbook.recipe import detect, snippet

COMPILER: Any = {"programs": ["cc", "nm", "readelf"]}


def ask(libraries: str = "") -> dict[str, Any]:
    """Run the page's check where torch has brought libraries, or none."""
    say_cuda("12.8")
    if libraries:
        bring(compile_libraries(libraries, Path("libraries").resolve()))
    loads = snippet("loads")["loads"]
    return {"found": loads[CUDA_12] != "loads", "said": loads[CUDA_12]}


def check() -> dict[str, Any]:
    """Run the page's assertion."""
    try:
        snippet("assertion")
    except RuntimeError as error:
        return {"found": True, "said": str(error)}
    return {"found": False}


@detect(found=True)
def asks_without_libraries() -> dict[str, Any]:
    """The page's check names what is missing."""
    return ask()


@detect(found=False, control="asks-without-libraries", **COMPILER)
def asks_with_libraries() -> dict[str, Any]:
    """What torch brings is loaded."""
    return ask(CUDA_12)


@detect(found=True)
def asserts_without_libraries() -> dict[str, Any]:
    """The import goes through, and the page's assertion does not."""
    say_cuda("12.8")
    return check()


@detect(found=False, control="asserts-without-libraries", **COMPILER)
def asserts_with_libraries() -> dict[str, Any]:
    """The library is loaded."""
    say_cuda("12.8")
    bring(compile_libraries(CUDA_12, Path("libraries").resolve()))
    return check()


@detect(found=True)
def trains_on_the_cpu() -> dict[str, Any]:
    """An 8-bit optimizer works without a GPU; the assertion would have said it."""
    return train() | check()
