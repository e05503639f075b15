"""Where steps run from: outside of the folders of libraries, however the book was installed.

Code in ``site-packages`` is taken for a library's: by Python's own tools, by diagnosis, and by what
articles offer for finding the line that is one's own. So a recipe of an installed package runs from
a copy, and Fixbook is found through a link; both give the verdicts that a checkout gives.
"""

from __future__ import annotations

import functools
import shutil
import tempfile
import threading
from pathlib import Path

PACKAGE_ROOT = Path(__file__).resolve().parents[3]
_LIBRARIES = {"site-packages", "dist-packages"}
_lock = threading.Lock()
_UNUSED = shutil.ignore_patterns("evidence", "logs", "__pycache__")


def recipe_folder(folder: Path) -> Path:
    """Return the folder that the steps of an entry run from.

    Args:
        folder: The entry.
    """
    if not _LIBRARIES.intersection(folder.parts):
        return folder
    with _lock:
        return _copy(folder)


def package_root() -> Path:
    """Return the folder that steps import Fixbook from."""
    if not _LIBRARIES.intersection(PACKAGE_ROOT.parts):
        return PACKAGE_ROOT
    with _lock:
        return _link()


@functools.cache
def _copy(folder: Path) -> Path:
    return Path(shutil.copytree(folder, _scratch() / "recipes" / folder.name, ignore=_UNUSED))


@functools.cache
def _link() -> Path:
    root = _scratch() / "package"
    root.mkdir()
    (root / "fixbook").symlink_to(PACKAGE_ROOT / "fixbook", target_is_directory=True)
    return root


def _scratch() -> Path:
    return Path(_held().name)


@functools.cache
def _held() -> tempfile.TemporaryDirectory[str]:
    """Make a folder that is removed when the process ends."""
    return tempfile.TemporaryDirectory(prefix="fixbook-run-", ignore_cleanup_errors=True)
