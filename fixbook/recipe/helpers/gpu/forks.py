"""Let steps be forked from a process that has imported torch, and use a GPU all the same.

Once a process has asked CUDA how many GPUs there are, or what they can do, torch lets no fork of it
use one; and libraries ask while they are imported, as does the launcher of ranks. There the runtime
that stands in is asked directly instead, of which torch knows nothing. A step begins with asking
torch all that its imports have asked, so that its own forks fare as they would after these imports.
"""

from __future__ import annotations

import ctypes
import os
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

_COUNT, _CAPABILITY = "_cuda_getDeviceCount", "get_device_capability"
_MAJOR, _MINOR = 75, 76  # attributes of a GPU


def bear_forks(torch: ModuleType, worker: ModuleType) -> None:
    """Change how this process asks for GPUs; steps that are forked from it ask as torch does.

    Args:
        torch: The package, as it has been imported.
        worker: Whose ``main`` a forked step runs.
    """
    parts: Any = torch
    index_of = parts.cuda._utils._get_device_index  # noqa: SLF001
    count, capability = getattr(parts._C, _COUNT), parts.cuda.get_device_capability  # noqa: SLF001
    main, process = vars(worker)["main"], os.getpid()
    asked: list[Callable[[], Any]] = []

    def note(question: Callable[[], Any]) -> None:
        if os.getpid() == process:  # not the launcher, which is forked from it
            asked.append(question)

    def ask(counting: Callable[[], int], answering: Callable[..., tuple[int, int]]) -> None:
        setattr(parts._C, _COUNT, counting)  # noqa: SLF001
        setattr(parts.cuda, _CAPABILITY, answering)

    def count_unnoticed() -> int:
        note(count)
        return _answer("cudaGetDeviceCount")

    def capability_unnoticed(device: Any = None) -> tuple[int, int]:
        note(partial(capability, device))
        gpu = 0 if device is None else index_of(device)
        major, minor = (_answer("cudaDeviceGetAttribute", one, gpu) for one in (_MAJOR, _MINOR))
        return major, minor

    def main_after_imports(argv: Sequence[str]) -> None:
        ask(count, capability)
        for question in asked:
            question()
        main(argv)

    ask(count_unnoticed, capability_unnoticed)
    vars(worker)["main"] = main_after_imports


def _answer(call: str, *arguments: int) -> int:
    found = ctypes.c_int()
    getattr(ctypes.CDLL(None), call)(ctypes.byref(found), *arguments)
    return found.value
