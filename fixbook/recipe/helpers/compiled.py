"""Libraries of C, compiled by the compiler that is there and kept in a cache."""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def kept(cache: Path, key: str, fill: Callable[[Path], None]) -> Path:
    """Return a folder of a cache, filling it if it is not there.

    Args:
        cache: Where such folders are kept.
        key: Name of the folder, which says what it was made from.
        fill: Given an empty folder, puts everything into it.
    """
    folder = cache / key
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as name:
            made = Path(name) / "libraries"
            made.mkdir()
            fill(made)
            try:
                made.rename(folder)
            except OSError:
                if not folder.is_dir():  # else another process was faster
                    raise
    return folder


def key_of(sources: Iterable[Path], *more: str) -> str:
    """Return a key that changes with any of the sources, with this file, and with what is added."""
    known = hashlib.sha256()
    for source in (*sources, Path(__file__)):
        known.update(source.read_bytes())
    for text in more:
        known.update(text.encode())
    return known.hexdigest()[:16]


def compile_library(target: Path, source: Path, *options: str) -> None:
    """Compile a source of C into a shared library.

    Args:
        target: The library; its name is the one that programs ask for.
        source: The source.
        *options: More for the compiler, such as a folder of headers.

    Raises:
        subprocess.CalledProcessError: The compiler refused; its message has been printed.
    """
    flags = ["-O1", "-w", "-shared", "-fPIC", f"-Wl,-soname,{target.name}", "-o", str(target)]
    subprocess.run(["cc", *flags, "-x", "c", str(source), *options], check=True)
