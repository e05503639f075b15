"""The logs under what was named: folders, globs, archives and single files.

Links are not followed: one that stays inside the root is read where it lies, one that leads out of
it is refused. A file that cannot be taken is listed with the reason, so that it costs itself only.
"""

from __future__ import annotations

import glob
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.log.reading import SKIPPED
from fixbook.problem import BookError, Problem
from fixbook.text import N_, _
from fixbook.triage.archive import is_archive, members_of
from fixbook.triage.remote import is_remote
from fixbook.triage.remote_list import found_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fixbook.triage.remote_list import Found

LINK, BROKEN, SPECIAL, PERMISSION, TORN, NESTED, LOST = (
    *("link", "broken-link", "special", "permission", "torn-archive", "nested-archive"),
    "unreadable",
)
# What a reason says to people; the data keep the short name, whatever the language.
REASONS = {
    LINK: N_("a link that leads out of the folder; name its target"),
    BROKEN: N_("a link whose target is missing"),
    SPECIAL: N_("neither a file nor a folder"),
    PERMISSION: N_("no permission to read it"),
    TORN: N_("an archive that breaks off, or is none; what stands before the break is read"),
    NESTED: N_("an archive inside an archive; unpack it"),
    LOST: N_("it could not be read"),
}
_GLOB = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class LogFile:
    """One log, or a file that was refused.

    Attributes:
        path: The file, or the archive that it stands in.
        name: Its path below the root, which is how it is called.
        member: Its name in the archive; empty if it is a file of its own.
        size: Bytes, unpacked from an archive but not from its own compression.
        changed: When it was written, in seconds since 1970.
        refused: Why it is not read, a key of `REASONS`; empty if it is.
    """

    path: str
    name: str
    member: str = ""
    size: int = 0
    changed: float = 0.0
    refused: str = ""


@dataclass(slots=True)
class Root:
    """One place that was named.

    Attributes:
        path: The folder or file.
        label: How it is called in names; no two alike.
        real: Where it really lies.
    """

    path: Path
    label: str
    real: str = field(init=False)

    def __post_init__(self) -> None:
        self.real = os.path.realpath(self.path)


def logs_of(names: Sequence[str], *, anonymous: bool = False) -> Iterator[LogFile]:
    """Yield the logs under what was named, on this machine or in a store.

    Args:
        names: Paths, patterns and addresses.
        anonymous: Whether stores are asked without credentials.

    Raises:
        BookError: Something that was named does not exist, or a store does not answer.
    """
    near = [name for name in names if not is_remote(name)]
    for root in roots_of(near):
        yield from files_of(root)
    for name in dict.fromkeys(name for name in names if is_remote(name)):
        for found in found_at(name, anonymous=anonymous):
            yield from _from_store(found)


def roots_of(names: Sequence[str]) -> list[Root]:
    """Return the places that were named, globs spelt out.

    Raises:
        BookError: Nothing is there.
    """
    paths: list[Path] = []
    for name in names:
        if os.path.lexists(name):
            paths.append(Path(name))
        elif _GLOB.search(name):
            found = [Path(one) for one in sorted(glob.glob(name, recursive=True))]  # noqa: PTH207
            if not found:
                what = _("no file matches this pattern")
                raise BookError([Problem(name, what, _("try it with ls, in quotes here"))])
            paths += found
        else:
            mend = _("name folders, archives, files or patterns such as 'runs/*.out'")
            raise BookError([Problem(name, _("does not exist"), mend)])
    return _labelled(dict.fromkeys(paths))


def _labelled(paths: dict[Path, None]) -> list[Root]:
    used: dict[str, int] = {}
    roots = []
    for path in paths:
        label = path.name or Path(os.path.realpath(path)).name or "root"
        used[label] = used.get(label, 0) + 1
        roots.append(Root(path, label if used[label] == 1 else f"{label}~{used[label]}"))
    return roots


def files_of(root: Root) -> Iterator[LogFile]:
    """Yield the logs of a root, in no order; a folder of a million is never in memory."""
    if not root.path.is_dir():
        yield from _taken(root, root.path, root.label, named=True)
        return
    folders = [(root.path, root.label)]
    while folders:
        folder, name = folders.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    below = f"{name}/{entry.name}"
                    if entry.is_dir(follow_symlinks=False):
                        folders.append((Path(entry.path), below))
                    elif not entry.name.startswith("."):
                        yield from _taken(root, Path(entry.path), below)
        except OSError as error:
            yield LogFile(os.fspath(folder), name, refused=reason_of(error))


def reason_of(error: OSError) -> str:
    """Return the short name of an error of the system."""
    return PERMISSION if isinstance(error, PermissionError) else LOST


def _taken(root: Root, path: Path, name: str, *, named: bool = False) -> Iterator[LogFile]:
    """Take one file, unless it is none or leads elsewhere; what was named is taken as it is."""
    try:
        seen = path.stat() if named else path.lstat()
        if stat.S_ISLNK(seen.st_mode):
            yield from _link(root, path, name)
        elif not stat.S_ISREG(seen.st_mode):
            yield LogFile(os.fspath(path), name, refused=SPECIAL)
        elif is_archive(path.name):
            yield from _inside(os.fspath(path), name, seen.st_mtime)
        elif named or path.suffix.lower() not in SKIPPED:
            yield LogFile(os.fspath(path), name, "", seen.st_size, seen.st_mtime)
    except OSError as error:
        yield LogFile(os.fspath(path), name, refused=reason_of(error))


def _from_store(found: Found) -> Iterator[LogFile]:
    last = Path(found.name)
    if not found.permitted:
        yield LogFile(found.place, found.name, refused=PERMISSION)
    elif last.name.startswith("."):
        return
    elif is_archive(last.name):
        yield from _inside(found.place, found.name, found.changed)
    elif last.suffix.lower() not in SKIPPED:
        yield LogFile(found.place, found.name, "", found.size, found.changed)


def _link(root: Root, path: Path, name: str) -> Iterator[LogFile]:
    target = os.path.realpath(path)
    if not os.path.lexists(target):
        yield LogFile(os.fspath(path), name, refused=BROKEN)
    elif os.path.commonpath([root.real, target]) != root.real:
        yield LogFile(os.fspath(path), name, refused=LINK)


def _inside(where: str, name: str, written: float) -> Iterator[LogFile]:
    try:
        for member in members_of(where):
            below = f"{name}/{member.name}"
            refused = NESTED if is_archive(member.name) else ""
            if Path(member.name).suffix.lower() not in SKIPPED:
                changed = member.changed or written
                yield LogFile(where, below, member.name, member.size, changed, refused)
    except OSError as error:
        permitted = not isinstance(error, PermissionError)
        yield LogFile(where, name, refused=TORN if permitted else PERMISSION)
