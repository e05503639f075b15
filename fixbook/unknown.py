"""A name that nothing in the book has: told with the nearest ones, without reading an entry."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from fixbook.book_root import BOOK_VARIABLE
from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def unknown_entry(name: str, names: Iterable[str]) -> BookError:
    """Return the error for a name that no entry has.

    Args:
        name: What was asked for.
        names: Those that there are, of which the nearest are given.
    """
    close = difflib.get_close_matches(name, sorted(names), n=3, cutoff=0.4)
    near = _("did you mean {names}?").format(names=", ".join(close))
    mend = near if close else _("'fixbook list' shows all entries")
    return BookError([Problem(name, _("no entry has this slug"), mend)])


def no_book(root: Path) -> BookError:
    """Return the error for a folder without entries.

    Args:
        root: The folder.
    """
    mend = _("run inside a checkout, or set {variable} to a folder that has recipes/")
    problem = Problem(str(root), _("holds no book"), mend.format(variable=BOOK_VARIABLE))
    return BookError([problem])


def refuse_unknown(root: Path, name: str, *, messages: bool) -> None:
    """Refuse a name that the folders of a book do not have.

    Args:
        root: The book, as `fixbook.book_root.book_root` finds it.
        name: Slug of an entry, or id of a message.
        messages: Whether messages are asked for as well.

    Raises:
        BookError: Nothing has the name; the nearest are given. Or the folder holds no book.
    """
    if not (root / "recipes").is_dir():
        raise no_book(root)
    if _has(root, name, messages=messages):
        return
    names = {path.name for path in (root / "recipes").glob("[!._]*") if path.is_dir()}
    if messages:
        names |= {path.stem for path in (root / "symptoms").glob("*.yaml")}
    raise unknown_entry(name, names)


def _has(root: Path, name: str, *, messages: bool) -> bool:
    """Tell whether a book has a name, as it is spelled: some file systems take others for it."""
    if name.startswith((".", "_")):
        return False
    folder, message = root / "recipes" / name, root / "symptoms" / f"{name}.yaml"
    if folder.is_dir() and name in {path.name for path in (root / "recipes").iterdir()}:
        return True
    return messages and message.is_file() and message in set((root / "symptoms").iterdir())
