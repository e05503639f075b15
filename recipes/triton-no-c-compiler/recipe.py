"""Triton and torch.compile run a C or C++ compiler when a program runs, and there is none."""
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

import torch
from failure import compiled, launch
from proof_compilers import GCC, GXX, machine

from fixbook.recipe import detect, fix, main, reproduce, snippet

if TYPE_CHECKING:
    from collections.abc import Callable

ONCE = "torch.compile takes seconds to load and to compile C++"


def on_cpu() -> str:
    """Let torch.compile compile a function of a tensor on the CPU."""
    return str(round(compiled(torch.ones(4)).sum().item(), 3))


def run(call: Callable[[], Any] = launch, *, compilers: bool = False, **variables: str) -> Any:
    """Set up the machine, then compile."""
    machine(compilers=compilers)
    os.environ |= variables
    return {"result": call(), "libraries": len(list(Path("cache").rglob("*.so")))}


@reproduce(needs=["triton"])
def triton_launcher() -> Any:
    """Triton, on a machine without a C compiler."""
    return run()


@reproduce(needs=["triton"])
def cc_names_none() -> Any:
    """CC still names the compiler of an environment that is gone."""
    return run(compilers=True, CC="x86_64-conda-linux-gnu-cc")


@reproduce()
def compile_on_cpu() -> Any:
    """Compiling a model for the CPU takes a C++ compiler."""
    return run(call=on_cpu)


@reproduce(record_once=ONCE)
def compile_with_cc() -> Any:
    """CC is Triton's variable; it is not looked at for C++."""
    return run(call=on_cpu, CC=GCC)


def looked(*, compilers: bool) -> dict[str, Any]:
    """Run the measurement."""
    machine(compilers=compilers)
    seen = snippet("look")
    return {"found": seen["c"] is None or seen["cxx"] is None, "headers": seen["headers"]}


@detect(found=True)
def looked_without() -> Any:
    """No compiler."""
    return looked(compilers=False)


@detect(found=False, control="looked-without", programs=["gcc", "g++"])
def looked_with() -> Any:
    """The compilers of this machine."""
    return looked(compilers=True)


@fix("install", control="triton-launcher", needs=["triton"], programs=["gcc"])
def compiler_installed() -> Any:
    """There is a gcc on the PATH."""
    return run(compilers=True)


@fix("install", control="compile-on-cpu", programs=["g++"], record_once=ONCE)
def compiler_installed_for_cpu() -> Any:
    """There is a g++ on the PATH."""
    return run(call=on_cpu, compilers=True)


@fix("variable", control="triton-launcher", needs=["triton"], programs=["gcc"])
def variable_cc() -> Any:
    """The compiler is not on the PATH, and CC says where it is."""
    return run(CC=GCC)


@fix("unset", control="cc-names-none", needs=["triton"], programs=["gcc"])
def cc_unset() -> Any:
    """The variable is gone."""
    return run(compilers=True)


@fix("off", control="compile-on-cpu", start="cold")
def switched_off() -> Any:
    """Nothing is compiled; the variable is read once."""
    return run(call=on_cpu, TORCH_COMPILE_DISABLE="1")


@fix("variable", control="compile-on-cpu", programs=["g++"], start="cold", record_once=ONCE)
def variable_cxx() -> Any:
    """CXX does that for torch.compile, which reads it once."""
    return run(call=on_cpu, CXX=GXX)


def suppressed(*, compilers: bool) -> dict[str, Any]:
    """Compile with errors suppressed, and count what was compiled."""
    from torch._dynamo import config

    config.suppress_errors = True
    seen = run(call=on_cpu, compilers=compilers)
    return {"found": seen["libraries"] == 0, **seen}


@detect(found=True, record_once=ONCE)
def suppressed_without_a_compiler() -> Any:
    """The right result, and nothing compiled."""
    return suppressed(compilers=False)


@detect(found=False, control="suppressed-without-a-compiler", programs=["g++"], record_once=ONCE)
def suppressed_with_a_compiler() -> Any:
    """The right result, compiled."""
    return suppressed(compilers=True)


if __name__ == "__main__":
    main(__file__)
