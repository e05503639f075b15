"""Load the libraries of a GPU that stands in, before torch. Standard library only."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from pathlib import Path

from fixbook.files import cache_folder
from fixbook.recipe.author.skip import skip
from fixbook.recipe.helpers.gpu.build import NoStandInError, stand_in_libraries


def load(folder: Path) -> None:
    """Load each library under its name, so that whatever asks for that name gets it.

    Args:
        folder: What `stand_in_libraries` has returned.

    Raises:
        RuntimeError: torch has been imported already.
    """
    if "torch" in sys.modules:
        raise RuntimeError("torch has been imported: load the stand-in before")
    first = [*sorted(folder.glob("libcud*.so.*")), folder / "libothers.so"]
    for library in dict.fromkeys([*first, *sorted(folder.glob("lib*.so*"))]):
        ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)
    sys.setdlopenflags(os.RTLD_LAZY)


def stand_in_gpu(gpus: int = 1, *, gpu_gib: float = 80.0, values: bool = True) -> None:
    """Give a recipe's process GPUs that stand in. Call it before torch is imported.

    Args:
        gpus: How many.
        gpu_gib: Memory of each in GiB.
        values: Whether the CPU computes what their kernels leave out.
    """
    spec = importlib.util.find_spec("torch")
    try:
        folder = stand_in_libraries(Path(str(spec and spec.origin)).parent, cache_folder() / "gpu")
    except NoStandInError as reason:
        skip(str(reason))
    os.environ.setdefault("FIXBOOK_GPU_COUNT", str(gpus))
    os.environ.setdefault("FIXBOOK_GPU_MEMORY", str(int(gpu_gib * 2**30)))
    load(folder)
    if values:
        from fixbook.recipe.helpers.gpu.values import compute  # noqa: PLC0415  (it imports torch)

        compute(_say)


def _say(name: str) -> None:
    sys.stderr.write(f"stand-in: no values of {name}\n")
