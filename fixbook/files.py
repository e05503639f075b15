"""Write files so that they are there whole or not at all, and name the folder for caches."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path


def write_atomically(path: Path, content: str | bytes, *, mode: int = 0o644) -> None:
    """Write a file; whoever reads meanwhile, and any failure, finds the old one.

    Args:
        path: The file; its folder must exist.
        content: All of it; text is written as UTF-8 with its line ends as they are.
        mode: Permissions of the file.

    Raises:
        OSError: It cannot be written; nothing has changed.
    """
    import tempfile  # noqa: PLC0415  (slow to import, and most commands write nothing)

    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content.encode() if isinstance(content, str) else content)
            out.flush()
            os.fsync(out.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()


def cache_folder() -> Path:
    """Return the folder for what can be made again; ``XDG_CACHE_HOME`` moves it on Linux.

    Where there is none, it is one that cannot be written, which callers have to expect anyway.
    """
    if sys.platform == "linux":  # as platformdirs, which is slow to import
        home = os.environ.get("XDG_CACHE_HOME", "").strip()
        try:
            return Path(home or Path("~/.cache").expanduser()) / "fixbook"
        except RuntimeError:
            return Path(os.devnull) / "fixbook"
    from platformdirs import user_cache_path  # noqa: PLC0415

    try:
        return user_cache_path("fixbook", appauthor=False)
    except RuntimeError:  # no home: neither a variable names one nor the list of users
        return Path(os.devnull) / "fixbook"
