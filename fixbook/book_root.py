"""Where the book lies. Imports nothing slow: every command starts here."""

from __future__ import annotations

import os
from pathlib import Path

BOOK_VARIABLE = "FIXBOOK_BOOK"
_PARTS = ("recipes", "rules", "symptoms")  # what only a book has beside each other


def book_root() -> Path:
    """Find the book: ``$FIXBOOK_BOOK``, this checkout, or the copy inside the package."""
    named = os.environ.get(BOOK_VARIABLE)
    if named:
        return Path(named).resolve()
    package = Path(__file__).resolve().parent
    checkout = package.parent
    return checkout if (checkout / "recipes").is_dir() else package / "_book"


def checkout(start: Path | None = None) -> Path:
    """Find the book that one writes in: ``$FIXBOOK_BOOK``, or upwards from where one stands.

    Args:
        start: Where one stands; by default the current folder.

    Returns:
        Its root; outside of any checkout that of this package, if it lies in one.

    Raises:
        BookError: There is only the copy inside an installation, which the next one replaces.
    """
    if os.environ.get(BOOK_VARIABLE):
        return book_root()
    stood = (start or Path.cwd()).resolve()
    for folder in (stood, *stood.parents):
        if all((folder / name).is_dir() for name in _PARTS):
            return folder
    root = book_root()
    if root.parent != Path(__file__).resolve().parent:
        return root
    from fixbook.problem import BookError, Problem  # noqa: PLC0415
    from fixbook.text import _  # noqa: PLC0415  (needed once, and slow)

    what = _("is the book of an installation, which the next installation replaces")
    mend = _("clone the repository and run this inside it, or set {variable} to the clone")
    raise BookError([Problem(str(root), what, mend.format(variable=BOOK_VARIABLE))])
