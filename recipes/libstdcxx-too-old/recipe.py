"""The loader takes a libstdc++ that is older than the compiler of what is loaded."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import ALONE, CONDA_FIRST, LATE
from proof_libraries import TOOLS, conda, look, old_system, older, put, start

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet_text


def of_conda(program: str = CONDA_FIRST, **how: str) -> dict[str, Any]:
    """The environment has the older one, and the system the newer."""
    conda()
    return start(program, **how)


def of_the_system(program: str = ALONE, **how: str) -> dict[str, Any]:
    """The system has the older one, and the environment the newer."""
    conda(newer=True)
    old_system()
    return start(program, **how)


def of_a_path(**how: str) -> dict[str, Any]:
    """The search path names a folder with an older one."""
    put(TOOLS, older())
    return start(ALONE, path=str(TOOLS), **how)


def listed(*, old: bool = True) -> dict[str, Any]:
    """List the copies."""
    conda(newer=True)
    if old:
        old_system()
    return look()


@reproduce(programs=["cc"])
def conda_is_older() -> dict[str, Any]:
    """A library of the environment is imported first."""
    return of_conda()


@reproduce(programs=["cc"])
def system_is_older() -> dict[str, Any]:
    """Nothing leads the loader to the environment."""
    return of_the_system()


@reproduce()
def path_is_older() -> dict[str, Any]:
    """As after loading the module of an old compiler."""
    return of_a_path()


@detect(found=True, programs=["cc"])
def finds_it_old() -> dict[str, Any]:
    """The system's is older than what torch was compiled for."""
    return listed()


@detect(found=False, control="finds-it-old", programs=["cc"])
def finds_it_new() -> dict[str, Any]:
    """The system's as it is."""
    return listed(old=False)


@fix("preload", control="conda-is-older", programs=["cc"])
def preloaded() -> dict[str, Any]:
    """The system's comes before all others."""
    return of_conda(printed="preload")


@fix("torch-first", control="conda-is-older", programs=["cc"])
def torch_imported_first() -> dict[str, Any]:
    """Torch takes the system's, and the library of the environment has to do with it."""
    return of_conda(snippet_text("order") + ALONE)


@fix("conda-lib", control="system-is-older", programs=["cc"])
def environment_first() -> dict[str, Any]:
    """The environment's comes first."""
    return of_the_system(printed="conda-lib")


@fix("unset", control="path-is-older")
def path_unset() -> dict[str, Any]:
    """No search path."""
    return of_a_path(printed="unset")


@non_fix("inside-python", control="system-is-older", programs=["cc"])
def set_inside_python() -> dict[str, Any]:
    """The loader has read the variable by then."""
    return of_the_system(LATE)


@non_fix("conda-lib-anyway", control="conda-is-older", programs=["cc"])
def environment_first_anyway() -> dict[str, Any]:
    """The environment's is the older one."""
    return of_conda(printed="conda-lib")


if __name__ == "__main__":
    main(__file__)
