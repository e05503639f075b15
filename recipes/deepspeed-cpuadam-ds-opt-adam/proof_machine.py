"""Machines that cannot compile, and a log of which its reader sees the last lines."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import sysconfig
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torch.utils.file_baton import FileBaton

from fixbook.recipe.helpers import path_without, until

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPILERS = ("c++", "g++", "gcc", "cc", "clang++", "clang")
ROOT = Path("extensions")
BUILD = ROOT / "cpu_adam"
SLOW = """#!/bin/sh
case " $* " in *" -c "*) sleep 1; exit 1 ;; esac
exec {real} "$@"
"""
QUICK = """#!/bin/sh
exec {real} "$@" -O0 -g0
"""


def machine(*, compiler: bool = False, fails: bool = False) -> None:
    """Keep extensions in this step's folder; with a compiler, without, or with one that fails."""
    os.environ["TORCH_EXTENSIONS_DIR"] = str(ROOT.absolute())
    if compiler or fails:
        first_compiler(SLOW if fails else QUICK)
    else:
        os.environ["PATH"] = path_without(*COMPILERS)
    first_on_path(sysconfig.get_path("scripts"))  # as activation does


def first_compiler(text: str) -> None:
    """Put a compiler first: one that does not optimise, or one that takes a second to fail."""
    program = Path(f"programs-{os.getpid()}/c++").absolute()
    program.parent.mkdir()
    program.write_text(text.format(real=shutil.which("c++")), "utf-8")
    program.chmod(0o755)
    first_on_path(str(program.parent))


def first_on_path(folder: str) -> None:
    """Put a folder first."""
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"


def rank_0_first(rank: int) -> None:
    """Have rank 0 take the lock of the build, and rank 1 ask for it after that."""
    take, ready = FileBaton.try_acquire, Path("ready")

    def in_order(self: FileBaton) -> Any:
        if rank:
            ready.touch()
        until((BUILD / "lock").exists if rank else ready.exists, patience_s=60)
        return take(self)

    baton: Any = FileBaton
    baton.try_acquire = in_order


@contextmanager
def log(name: str = "train.log", *, last: int = 3) -> Iterator[None]:
    """Write both streams to a file; of a failure, show the last lines (0: all) and end here."""
    sys.stdout.flush()
    kept = [(stream, os.dup(stream)) for stream in (1, 2)]
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream, _ in kept:
        os.dup2(file, stream)
    failed = False
    try:
        yield
    except RuntimeError:
        failed = True
        traceback.print_exc()
    finally:
        gc.collect()
        sys.stdout.flush()
        for stream, copy in kept:
            os.dup2(copy, stream)
    if failed:
        lines = Path(name).read_text("utf-8", "replace").strip().splitlines()
        print("\n".join(lines[-last:]))
        raise SystemExit(1)
