"""Two ranks of NCCL, each with a library of its own, that join one group."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

from fixbook.files import cache_folder
from fixbook.recipe import measure
from fixbook.recipe.helpers import NcclEnd, NcclRank, nccl_ranks

OTHER = "nvidia-nccl-cu12==2.27.5"
OWN = 22907  # of the step's packages


def other_library() -> Path:
    """Return the library of another release, beside the one of the step's packages."""
    folder = cache_folder() / "nccl-2.27.5"
    library = folder / "nvidia" / "nccl" / "lib" / "libnccl.so.2"
    if not library.is_file():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", OTHER]
        subprocess.run([*command, "--target", str(folder)], check=True)
    return library


def own_folder() -> Path:
    """Return where the library of the step's packages lies."""
    spec = importlib.util.find_spec("nvidia.nccl")
    assert spec
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "lib"


def join(*others: int, patience_s: int = 15, **settings: str) -> list[NcclEnd]:
    """Let two ranks join; those named have the other library."""
    library = other_library()
    ranks = [NcclRank(n, settings, library if n in others else None) for n in (0, 1)]
    return nccl_ranks(*ranks, patience_s=patience_s)


def start(*others: int, patience_s: int = 15, **settings: str) -> dict[str, int]:
    """Join, and raise what NCCL calls its error, or that nothing came of it."""
    ends = join(*others, patience_s=patience_s, **settings)
    measure(waiting=sum(end.code is None for end in ends), patience=patience_s)
    measure(disabled=settings.get("NCCL_IB_DISABLE", "0"))
    for end in ends:
        if end.code:
            measure(last=end.last)
            raise RuntimeError(f"NCCL error: {end.error}")
    if any(end.code is None for end in ends):
        raise TimeoutError(f"the ranks have not met in {patience_s} s")
    return {"joined": sum(end.code == 0 for end in ends)}
