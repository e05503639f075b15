"""ninja is in the environment; the process looks for a program of that name, and finds none."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "ninja==1.13.2", "setuptools==84.2.1", "deepspeed==0.19.8",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from failure import build, optimizer
from proof_start import install_package, installed, start, train_in_shell, train_on_node

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet

if TYPE_CHECKING:
    from collections.abc import Callable


def run(
    *,
    lines: str = "",
    code: str = "",
    pip: bool = False,
    call: Callable[[], Any] = build,
    **how: bool,
) -> dict[str, Any]:
    """Start, do what the page says, and build."""
    start(**how)
    if lines:
        return train_in_shell(lines)
    if code:
        snippet(code)
    if pip:
        install_package()
    return {"built": call().__name__}


def looked(**how: bool) -> dict[str, Any]:
    """Run the measurement in the process that builds."""
    start(**how)
    seen = snippet("look")
    return {"found": not seen["runs"], "there": seen["where"] is not None}


@reproduce(programs=["c++"])
def started_by_its_path() -> Any:
    """/path/to/env/bin/python train.py, with nothing activated."""
    return run()


@reproduce(programs=["c++"])
def a_ninja_that_cannot_run() -> Any:
    """The first ninja on the PATH is the script of another interpreter."""
    return run(activated=True, broken=True)


@reproduce(needs=["deepspeed"])
def deepspeed_cpu_adam() -> Any:
    """DeepSpeed says that it is not installed."""
    return run(call=optimizer)


@reproduce(needs=["deepspeed"], programs=["c++"])
def node_with_its_own_path() -> Any:
    """The launcher calls the interpreter by its path on each node, and leaves PATH out."""
    return train_on_node()


@detect(found=True)
def looked_where_it_is_missing() -> Any:
    """No program."""
    return looked()


@detect(found=True)
def looked_where_it_is_broken() -> Any:
    """A program that cannot run."""
    return looked(activated=True, broken=True)


@detect(found=False, control="looked-where-it-is-missing")
def looked_where_it_works() -> Any:
    """The environment's own."""
    return looked(activated=True)


@fix("environment", control="started-by-its-path", programs=["c++"])
def folder_exported() -> Any:
    """The lines of the page in the shell, and the training from there."""
    return run(lines="export")


@fix("environment", control="a-ninja-that-cannot-run", programs=["c++"])
def folder_before_the_broken_one() -> Any:
    """The same lines, where a script of that name comes first."""
    return run(activated=True, broken=True, lines="export")


@fix("in-the-script", control="started-by-its-path", programs=["c++"])
def set_in_the_script() -> Any:
    """The script puts them there."""
    return run(code="path")


@fix("in-the-script", control="a-ninja-that-cannot-run", programs=["c++"])
def set_before_the_broken_one() -> Any:
    """The package's own program comes first."""
    return run(activated=True, broken=True, code="path")


@fix("nodes", control="node-with-its-own-path", needs=["deepspeed"], programs=["c++"])
def node_with_the_path_of_here() -> Any:
    """The launcher passes on what its file of variables says."""
    return train_on_node("nodes")


@fix("system", control="started-by-its-path", programs=["c++"])
def ninja_of_the_system() -> Any:
    """A program of that name in any folder of the PATH."""
    return run(system=True)


@non_fix("pip-again", control="started-by-its-path", programs=["c++"])
def installed_again() -> Any:
    """What pip says, and the same error."""
    return run(pip=True)


@detect(found=True, programs=["c++"])
def installed_without_ninja() -> Any:
    """One compiler after the other; two lines in the middle of pip's log say so."""
    return installed()


@detect(found=False, control="installed-without-ninja", programs=["c++"])
def installed_with_ninja() -> Any:
    """Two at a time, as MAX_JOBS asks."""
    return installed(activated=True)


if __name__ == "__main__":
    main(__file__)
