"""Where the book lies. Imports nothing slow: every command starts here."""

from __future__ import annotations

import os
from pathlib import Path

BOOK_VARIABLE = "FIXBOOK_BOOK"


def book_root() -> Path:
    """Find the book: ``$FIXBOOK_BOOK``, this checkout, or the copy inside the package."""
    named = os.environ.get(BOOK_VARIABLE)
    if named:
        return Path(named).resolve()
    package = Path(__file__).resolve().parent
    checkout = package.parent
    return checkout if (checkout / "recipes").is_dir() else package / "_book"
