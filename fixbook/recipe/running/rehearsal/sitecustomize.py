"""Ends a process at its first CUDA call, and writes down where that was.

The folder of this file stands first on the path of every process of a rehearsal, and Python imports
the file when it starts. Nothing else may import it. It uses the standard library only.
"""

from __future__ import annotations

import ctypes
import importlib.machinery
import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType, ModuleType

REACHED = 88
_DRIVER = re.compile(r"libcuda\.so|nvcuda\.dll")
# What torch.cuda calls without initialising CUDA first; a build for the CPU lacks these.
_FIRST_CALLS = ("setDevice", "resetPeakMemoryStats", "resetAccumulatedMemoryStats")


def end(call: str) -> NoReturn:
    """Record where this process has come to, and end it.

    Args:
        call: What it was about to call.
    """
    record = {"rank": int(os.environ.get("RANK", "0")), "reached": f"{_place()} ({call})"}
    with Path(os.environ["FIXBOOK_MEASURES"]).open("a", encoding="utf-8") as out:
        out.write(json.dumps(record) + "\n")
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(REACHED)  # an exception could be swallowed on its way out


def _place() -> str:
    """Return file and line of the recipe; where none of it is running, those of the caller."""
    recipe = os.environ.get("FIXBOOK_REHEARSAL", "")
    caller = ""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001  (inspect is slow to import)
    while frame:
        name = frame.f_code.co_filename
        if recipe and name.startswith(recipe + os.sep):
            return f"{Path(name).relative_to(recipe)}:{frame.f_lineno}"
        if not caller and name != __file__ and f"{os.sep}torch{os.sep}" not in name:
            caller = f"{name}:{frame.f_lineno}"
        frame = frame.f_back
    return caller or "?"


def _lazy_init() -> None:
    sys.modules["sitecustomize"].end("torch.cuda is initialised")


def _change(cuda: ModuleType) -> None:
    """Let every way into CUDA end here; other modules hold the functions already."""
    function: Any = vars(cuda)["_lazy_init"]
    function.__code__ = _lazy_init.__code__
    function.__globals__.setdefault("sys", sys)
    for name in _FIRST_CALLS:
        setattr(
            sys.modules["torch._C"], f"_cuda_{name}", lambda *_, name=name: end(f"_cuda_{name}")
        )


def _change_groups(distributed: ModuleType) -> None:
    """Let a process group end here that asks for NCCL; asking whether there is NCCL is harmless."""
    available = vars(distributed)["is_nccl_available"]

    def is_nccl_available() -> bool:
        if sys._getframe(1).f_code.co_name == "_new_process_group_helper":  # noqa: SLF001
            end("a process group asks for NCCL")
        return bool(available())

    vars(distributed)["is_nccl_available"] = is_nccl_available


_CHANGES = {"torch.cuda": _change, "torch.distributed.distributed_c10d": _change_groups}


class _Finder:
    """Changes modules as soon as they have been imported."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in _CHANGES:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec and spec.loader:
            load = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                load(module)
                _CHANGES[name](module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


class _Library(ctypes.CDLL):
    def __init__(self, name: Any, *args: Any, **options: Any) -> None:
        if isinstance(name, str) and _DRIVER.search(name):
            end(f"ctypes loads {name}")
        super().__init__(name, *args, **options)


if "FIXBOOK_MEASURES" in os.environ:
    sys.meta_path.insert(0, _Finder())
    ctypes.CDLL = _Library  # type: ignore[misc]
