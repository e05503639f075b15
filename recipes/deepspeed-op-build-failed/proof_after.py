"""What is seen after a build has failed, and after torch was edited."""

from __future__ import annotations

import os
import shutil
from typing import Any

from failure import build
from proof_machine import ROOT, edit_torch, machine

from fixbook.recipe import measure, run_snippet

NAMES = ("kernel_config.h: No such file", "cannot find -lcurand_missing", "nvcc fatal")


def built_elsewhere(*, version: int = 1, links: str = "", gpu: bool = False) -> None:
    """Let another process build, in vain or not."""
    child = os.fork()
    if child == 0:
        try:
            build(version=version, links=links, gpu=gpu)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def first_error() -> str:
    """Ask for the first error of the latest build, as the page does."""
    return run_snippet("again").stdout


def asked_again(cause: str, *, links: str = "") -> dict[str, Any]:
    """After a build in vain ask for its first error; with no word of one, load the library."""
    machine(cause)
    older = ROOT / "another"
    older.mkdir(parents=True)
    (older / "build.ninja").touch()
    built_elsewhere(links=links, gpu=cause == "nvcc")
    said = first_error()
    names = [name for name in NAMES if name in said]
    if not said:
        measure(loaded=build(links=links).version)
    return {"found": said != "", "names": " ".join(names)}


def empty_the_cache() -> None:
    """Let a build fail, and remove what it left, as the advice has it."""
    built_elsewhere()
    measure(left=len(list(ROOT.rglob("build.ninja"))))
    shutil.rmtree(ROOT)


def changed_since(*, edited: bool) -> dict[str, Any]:
    """Build version 1, change the source to version 2, and see which one is loaded."""
    machine("none")
    built_elsewhere()
    if edited:
        edit_torch()
    version = build(version=2).version
    return {"found": version != 2, "loaded": version}
