"""Nothing of a folder of the book may lie outside of it: what is read there is published."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.book.fields import SLUG
from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

_GENERATED = "__pycache__"


def stay_within(folder: Path) -> None:
    """Refuse a folder that is, or holds, a symbolic link to a place outside of it.

    Args:
        folder: The folder of an entry or of a rule.

    Raises:
        BookError: With one problem for each such link.
    """
    root = folder.resolve()
    links = [folder] if root.parent != folder.parent.resolve() else []
    links += [path for path in _links(folder) if not _inside(path, root)]
    if links:
        what = _("is a symbolic link that leads out of the folder {folder!r}")
        mend = _("put the file itself there")
        said = what.format(folder=folder.name)
        raise BookError([Problem(str(path), said, mend) for path in links])


def named(name: str, path: Path) -> None:
    """Refuse a name that could not be the address of a page.

    Args:
        name: Of the entry or message, as its folder or file has it.
        path: The file, for the message.

    Raises:
        BookError: It is none.
    """
    if not SLUG.fullmatch(name):
        what = _("{name!r} cannot be the address of a page").format(name=name)
        mend = _("rename it to lower-case words joined by single dashes, such as 'raise-limit'")
        raise BookError([Problem(str(path), what, mend)])


def _links(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != _GENERATED)
        yield from (
            Path(place, name)
            for name in sorted([*folders, *files])
            if Path(place, name).is_symlink()
        )


def _inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):
        return True  # leads nowhere: whoever reads it says so
