"""The order of the files of tests: what takes long first, so that no worker ends long after others.

One worker builds the site with the first file, which takes minutes; the files after it keep the
other from waiting for it.
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
FIRST = (
    "site/test_serve.py",  # needs the site
    "config/test_overlays.py",
    "config/test_proofs.py",
    "test_notebook_runs.py",
    "test_uv.py",
    "site",
    "test_words.py",
    "test_wrong_entries.py",
    "test_book.py",
    "test_secrets.py",
    "test_wheel.py",
    "test_fit_command.py",
)


def place(path: Path) -> int:
    """Return where a file of tests belongs; files of one place stay as they are.

    Args:
        path: The file.
    """
    name = path.relative_to(HERE).as_posix()
    found = (at for at, first in enumerate(FIRST) if name == first or name.startswith(f"{first}/"))
    return next(found, len(FIRST))
