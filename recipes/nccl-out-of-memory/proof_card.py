"""Two cards that stand in, from which torch and NCCL both take memory; imported before torch is.

NCCL is the published one, and so is all of torch, its process group and its caching allocator too.
The runtime that stands in for CUDA's counts what both have taken, and refuses what is beyond.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

from fixbook.files import cache_folder
from fixbook.recipe.helpers import NoStandInError, stand_in_gpu
from fixbook.recipe.helpers.nccl.build import CALLS, NVML, stand_in_below_nccl
from fixbook.recipe.helpers.nccl.rank import published
from fixbook.recipe.helpers.nccl.replace import replace

CARD_MIB = 1024
# NCCL would ask the driver for memory of its own kind, which the stand-in does not have.
PLAIN_MEMORY = {"NCCL_CUMEM_ENABLE": "0", "NCCL_CUMEM_HOST_ENABLE": "0"}


class OneCard:
    """The calls of CUDA as NCCL finds them: those of torch's runtime, and others it lacks.

    Args:
        below: Folder of what stands in below NCCL.
    """

    def __init__(self, below: str) -> None:
        """Load both."""
        self.of_nccl = ctypes.CDLL(f"{below}/{CALLS}")
        self.of_torch = ctypes.CDLL("libcudart.so.13")

    def __getattr__(self, name: str) -> Any:
        """Return a function by its name."""
        of_torch = not name.startswith("nccl_") and hasattr(self.of_torch, name)
        return getattr(self.of_torch if of_torch else self.of_nccl, name)


def put_in() -> None:
    """Let the cards stand in, for torch and for NCCL."""
    os.environ |= PLAIN_MEMORY
    below = stand_in_below_nccl(cache_folder() / "nccl")
    ctypes.CDLL(str(below / NVML), ctypes.RTLD_GLOBAL)
    nccl = ctypes.CDLL(str(published()), ctypes.RTLD_GLOBAL)
    stand_in_gpu(2, gpu_gib=CARD_MIB / 1024, values=False)
    replace(published(), nccl, "ncclGetVersion", OneCard(str(below)))  # type: ignore[arg-type]


if os.environ.get("STAND_IN_CARDS"):
    try:
        put_in()
    except NoStandInError as reason:
        raise SystemExit(str(reason)) from None
