"""Triton and torch.compile compile against Python's headers, which a plain Python may lack."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "triton==3.7.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from failure import compiled, launch
from proof_headers import without_headers

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

if TYPE_CHECKING:
    from collections.abc import Callable

ONCE = "torch.compile takes most of a minute to load and to compile C++"
TRITON: dict[str, Any] = {"needs": ["triton"], "programs": ["gcc"]}
ELSEWHERE = "include/python"


def run(work: Callable[[], Any] = launch, *, headers: str = "", cpath: bool = False) -> Any:
    """Set up a Python, with its headers there if it is said where, and compile."""
    without_headers(copy=ELSEWHERE if cpath else headers)
    if cpath:
        os.environ["CPATH"] = str(Path(ELSEWHERE).absolute())
    measure(elsewhere=Path(ELSEWHERE, "Python.h").exists())
    done = work()
    return done | {"libraries": len(list(Path("cache").rglob("*.so")))}


def look() -> dict[str, Any]:
    """Look as the page does."""
    return {"found": not snippet("look")["there"]}


@reproduce(**TRITON)
def triton_launcher() -> Any:
    """The first Triton kernel of a process."""
    return run()


@reproduce(programs=["g++"], record_once=ONCE, timeout_s=500)
def compile_on_cpu() -> Any:
    """A function that torch.compile compiles for the CPU."""
    return run(compiled)


@detect(found=True)
def looked_without() -> Any:
    """No headers."""
    return run(look)


@detect(found=False, control="looked-without")
def looked_with() -> Any:
    """They are where this Python looks."""
    return run(look, headers=".")


@fix("install", control="triton-launcher", **TRITON)
def headers_installed() -> Any:
    """The headers of this very Python, where it looks."""
    return run(headers=".")


@fix("install", control="compile-on-cpu", programs=["g++"], record_once=ONCE, timeout_s=500)
def headers_installed_for_cpu() -> Any:
    """The same for torch.compile."""
    return run(compiled, headers=".")


@fix("windows", control="triton-launcher", **TRITON)
def headers_copied() -> Any:
    """Headers are files: those of another copy of this Python do."""
    return run(headers=".")


@fix("cpath", control="triton-launcher", **TRITON)
def named_by_cpath() -> Any:
    """The headers lie elsewhere, and the compiler is told where."""
    return run(cpath=True)


@non_fix("python3-dev", control="triton-launcher", **TRITON)
def headers_elsewhere() -> Any:
    """The headers lie in the folder of another Python."""
    return run(headers=ELSEWHERE)


if __name__ == "__main__":
    main(__file__)
