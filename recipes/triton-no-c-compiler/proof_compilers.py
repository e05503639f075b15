"""A machine with compilers, and the same machine without them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from fixbook.recipe.helpers import path_without

GCC, GXX = shutil.which("gcc") or "gcc", shutil.which("g++") or "g++"
NAMES = ("gcc", "g++", "clang", "clang++", "cc", "c++")


def machine(*, compilers: bool) -> None:
    """Take the compilers off the PATH, and keep what is compiled in this step's folder."""
    if not compilers:
        os.environ["PATH"] = path_without(*NAMES)
    for name in ("CC", "CXX"):
        os.environ.pop(name, None)
    for name in ("TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR"):
        os.environ[name] = str(Path("cache").absolute())
