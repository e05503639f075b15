"""What is seen after a build has failed, and after torch was edited."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from failure import build
from proof_machine import edit_torch, machine

from fixbook.recipe import run_snippet


def asked_again(cause: str, *, mended: bool = False) -> dict[str, Any]:
    """Build in vain, and ask the build folder for its first error."""
    flags = machine(cause, mended=mended)
    with contextlib.suppress(RuntimeError):
        build(flags=flags)
    said = run_snippet("again").stdout
    return {"found": ": " in said, "names": "kernel_config.h" in said}


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
