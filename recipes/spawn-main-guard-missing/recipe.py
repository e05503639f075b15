"""A script that starts processes by spawn and has no main guard: the child starts it again."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_script import look, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def without_a_guard() -> dict[str, Any]:
    """The loader is read at the top level of the script."""
    return run("bare")


@fix("guard", control="without-a-guard")
def with_a_guard() -> dict[str, Any]:
    """The lines of the page."""
    return run("guard")


@fix("fork", control="without-a-guard")
def forked() -> dict[str, Any]:
    """A forked worker imports nothing."""
    return run("fork")


@non_fix("freeze-support", control="without-a-guard")
def freeze_support() -> dict[str, Any]:
    """The call that the message names, without the guard."""
    return run("frozen")


@detect(found=True)
def parent_goes_on() -> dict[str, Any]:
    """The child of a process of one's own fails, and the parent ends with 0."""
    return run("alone")


@detect(found=False)
def loaded_by_each_process() -> dict[str, Any]:
    """The guard is there, and the model is loaded above it."""
    return run("guarded")


@detect(found=False)
def loaded_once() -> dict[str, Any]:
    """The model is loaded below the guard."""
    return run("inside")


@detect(found=True)
def finds_no_guard() -> dict[str, Any]:
    """The script has none."""
    return look("bare")


@detect(found=False, control="finds-no-guard")
def finds_the_guard() -> dict[str, Any]:
    """The script has one."""
    return look("guard")


if __name__ == "__main__":
    main(__file__)
