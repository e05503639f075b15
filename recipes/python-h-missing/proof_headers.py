"""A Python whose folder of headers is empty, for this process and its children."""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path

from fixbook.recipe.helpers import private_mount

HEADERS = Path(sysconfig.get_path("include"))


def without_headers(*, copy: str = "") -> None:
    """Empty the folder that holds Python.h; keep what is compiled in this step's folder.

    Args:
        copy: Where this Python's headers lie nevertheless; ``.`` for their own folder.
    """
    kept = shutil.copytree(HEADERS, Path("kept").absolute())
    private_mount(64 << 20, HEADERS)
    if copy:
        shutil.copytree(kept, HEADERS if copy == "." else Path(copy), dirs_exist_ok=True)
    shutil.rmtree(kept)
    os.environ.pop("CPATH", None)
    for name in ("TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR"):
        os.environ[name] = str(Path("cache").absolute())
