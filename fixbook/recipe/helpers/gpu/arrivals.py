"""Copies to the host that do not block: whoever reads one has to wait for it first."""

from __future__ import annotations

import ctypes
import sys
import weakref
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Iterable

_COPIES = {"aten::_to_copy", "aten::copy_"}


class Arrivals:
    """Copies that are under way, by where they arrive."""

    def __init__(self) -> None:
        self._waits = ctypes.CDLL(None).stand_in_waits
        self._waits.restype = ctypes.c_ulong
        self._sent = dict[int, tuple[int, Any]]()

    def check(self, tensors: Iterable[torch.Tensor]) -> None:
        """Say so where an operator reads what may not have arrived yet.

        Args:
            tensors: What an operator is given.
        """
        for one in tensors:
            if self._sent and not one.is_cuda and not one.is_meta:
                sent = self._sent.pop(one.untyped_storage().data_ptr(), None)
                # Where the copy is gone, its memory is another's.
                if sent and sent[0] == self._waits() and sent[1]() is not None:
                    said = "a copy that does not block is read before anything has waited for it"
                    sys.stderr.write(f"stand-in found: {said}\n")

    def note(self, func: Any, kwargs: Any, args: Any, made: Any) -> None:
        """Remember a copy from a GPU to the host that did not wait for its end."""
        name = func._schema.name  # noqa: SLF001
        if name not in _COPIES or not isinstance(made, torch.Tensor) or made.is_cuda:
            return
        if kwargs.get("non_blocking") or (name == "aten::copy_" and args[2:3] == (True,)):
            sent = self._waits(), weakref.ref(made)
            self._sent[made.untyped_storage().data_ptr()] = sent
