"""What is seen after a build has failed, and after torch was edited."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from failure import build
from proof_machine import edit_torch, machine

from fixbook.recipe import measure, run_snippet


def asked_again(cause: str, *, links: str = "") -> dict[str, Any]:
    """Build in vain, ask the build folder for its first error, and load what is there then."""
    machine(cause)
    with contextlib.suppress(RuntimeError):
        build(links=links)
    said = run_snippet("again").stdout
    with contextlib.suppress(ImportError):
        measure(loaded=build(links=links).version)
    names = [cause for cause in ("kernel_config.h", "-lcurand_missing") if cause in said]
    return {"found": said != "", "names": " ".join(names)}


def built_before() -> None:
    """Let another process build version 1."""
    child = os.fork()
    if child == 0:
        build(version=1)
        os._exit(0)
    os.waitpid(child, 0)


def changed_since(*, edited: bool) -> dict[str, Any]:
    """Build version 1, change the source to version 2, and see which one is loaded."""
    machine("none")
    built_before()
    if edited:
        edit_torch()
    version = build(version=2).version
    return {"found": version != 2, "loaded": version}
