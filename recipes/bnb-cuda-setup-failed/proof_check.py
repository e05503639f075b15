"""What the page's checks say of the libraries, and a build of torch for the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proof_gpu import CUDA_12, bring, compile_libraries, say_cuda

from fixbook.recipe import snippet


def ask(libraries: str = "") -> dict[str, Any]:
    """Run the page's check where torch has brought libraries, or none."""
    say_cuda("12.8")
    if libraries:
        bring(compile_libraries(libraries, Path("libraries").resolve()))
    loads = snippet("loads")["loads"]
    return {"found": loads[CUDA_12] != "loads", "said": loads[CUDA_12]}


def check(cuda: str = "", libraries: str = "") -> dict[str, Any]:
    """Run the page's assertion, where torch is for a CUDA and has brought libraries, or not."""
    if cuda:
        say_cuda(cuda)
    if libraries:
        bring(compile_libraries(libraries, Path("libraries").resolve()))
    try:
        snippet("assertion")
    except RuntimeError as error:
        return {"found": True, "said": str(error)}
    return {"found": False}
