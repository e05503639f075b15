"""The folders that a server may read; every path is resolved, also those found in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.log.reading import Source, sources_of
from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Sequence


class Roots:
    """Folders, resolved once: a link that is changed later leads nowhere new.

    Args:
        folders: The folders; without any, no file can be read.

    Raises:
        BookError: One of them is no folder.
    """

    def __init__(self, folders: Sequence[str | Path]) -> None:
        self._folders = [Path(folder).resolve() for folder in folders]
        wrong = [folder for folder in self._folders if not folder.is_dir()]
        if wrong:
            what, mend = _("is no folder"), _("name folders that are there after --root")
            raise BookError([Problem(str(folder), what, mend) for folder in wrong])

    def path(self, name: str) -> Path:
        """Return where a path leads: a file or folder below one of the roots.

        Args:
            name: The path; a relative one is looked for below each root.

        Raises:
            BookError: It leads elsewhere, to nothing, or to what is neither file nor folder.
        """
        try:
            tried = [(folder / name).resolve() for folder in self._folders]
            found = next((one for one in tried if one.exists()), None)
        except (OSError, ValueError, RuntimeError):  # too long, a null byte, links in a circle
            tried, found = [], None
        if found and not self._holds(found):
            raise self._refused(name)
        if found and (found.is_file() or found.is_dir()):
            return found
        if not self._folders or (tried and not any(map(self._holds, tried))):
            raise self._refused(name)
        mend = _("name a file or a folder below the server's --root")
        raise BookError([Problem(name, _("does not exist, or is no file"), mend)])

    def logs(self, name: str) -> tuple[list[Source], int]:
        """Return the logs that a path names, and how many files of a folder lead elsewhere.

        Args:
            name: A log, or a folder of per-rank logs.

        Raises:
            BookError: As `path`, or there is no log.
        """
        found = sources_of([str(self.path(name))])
        inside = [one for one in found if one.path and self._holds(one.path.resolve())]
        if not inside:
            raise self._refused(name)
        return inside, len(found) - len(inside)

    def _holds(self, path: Path) -> bool:
        return any(path.is_relative_to(folder) for folder in self._folders)

    def _refused(self, name: str) -> BookError:
        what = _("leads out of the folders that this server may read")
        listed = ", ".join(map(str, self._folders)) or _("none")
        return BookError([Problem(name, what, _("they are: {folders}").format(folders=listed))])
