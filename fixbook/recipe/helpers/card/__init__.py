"""A GPU that stands in and whose memory somebody else uses too, as torch's allocator sees it.

    driver.c  CUDA's driver with virtual memory, which expandable segments need
    nvml.c    libnvidia-ml that lists who holds memory of the card

torch's caching allocator above it is the published one: what it splits, keeps, gives back and says
when nothing is left. Import nothing of torch before.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from fixbook.files import cache_folder
from fixbook.recipe.helpers.compiled import compile_library, kept, key_of
from fixbook.recipe.helpers.gpu import stand_in_gpu
from fixbook.recipe.helpers.gpu.build import HERE as GPU

HERE = Path(__file__).parent
DRIVER = GPU / "driver.c"  # which this one adds to
NEIGHBOUR = 4242  # its process id


def stand_in_card(
    *, gpus: int = 1, gpu_gib: float = 8.0, others_gib: float = 0.0, seen_as: int | None = None
) -> None:
    """Give this process a card that stands in, on which others hold memory. Before torch.

    Args:
        gpus: How many cards.
        gpu_gib: Memory of each in GiB.
        others_gib: What another process holds of the first one, in GiB.
        seen_as: Process id under which this process is listed, as a container that has ids of its
            own is; None for the real one.
    """
    os.environ["FIXBOOK_CARD_OTHERS"] = str(int(others_gib * 2**30))
    os.environ["FIXBOOK_CARD_PIDS"] = f"{seen_as or os.getpid()},{NEIGHBOUR}"
    sources = [Path(__file__), *sorted(HERE.glob("*.c")), DRIVER]
    folder = kept(cache_folder() / "card", key_of(sources), _compile)
    for library in sorted(folder.iterdir()):
        ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)
    stand_in_gpu(gpus, gpu_gib=gpu_gib, values=False)
    if others_gib:
        held = ctypes.c_void_p()
        take = ctypes.CDLL(None).cudaMalloc
        if code := take(ctypes.byref(held), ctypes.c_size_t(int(others_gib * 2**30))):
            raise RuntimeError(f"the stand-in refused what others hold: {code}")


def _compile(folder: Path) -> None:
    compile_library(folder / "libnvidia-ml.so.1", HERE / "nvml.c", "-ldl")
    compile_library(folder / "libcuda.so.1", HERE / "driver.c", f'-DDRIVER="{DRIVER}"', "-ldl")
