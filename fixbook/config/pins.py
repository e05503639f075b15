"""Which release of a tool a reader has: of a file's repository, else the one installed."""

from __future__ import annotations

import contextlib
import functools
import json
import re
import stat
from dataclasses import replace
from importlib import metadata
from typing import TYPE_CHECKING, NamedTuple

from packaging.version import InvalidVersion, Version

from fixbook.config.bounds import at_least, bounded
from fixbook.config.carried import carried
from fixbook.config.tools import EVERY, TOOLS
from fixbook.versions import is_version, parse_version

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from pathlib import Path

    from fixbook.config.setting import ConfigDocument

_MOST_BYTES = 4 * 1024 * 1024
_MOST_FOLDERS = 8  # from the file up to the root of its repository
_LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml", "Pipfile.lock")
_LISTED = ("requirements*.txt", "requirements/*.txt", "constraints*.txt", "pyproject.toml",
           "setup.cfg", "setup.py", "environment.y*ml", "Dockerfile*", "docker/Dockerfile*",
           "*.dockerfile", "install*.sh", "setup*.sh")  # fmt: skip
_NEEDED = ("requirements.txt", "environment.y*ml")
_BUILT = ("pyproject.toml", "setup.py", "setup.cfg")
_PROGRAMS = (".py", ".sh", ".toml")
_READ = [name for name, tool in EVERY.items() if tool.extract or tool.classes]
_NAMES = "|".join(name.replace("-", "[-_.]") for name in _READ)
_RELEASE = r"([0-9]{1,4}(?:\.[0-9]{1,5}){1,3})(?![\w.*])"
_EXTRAS = r"(?:\[[\w, -]{0,80}\])?"
_LOCKED = re.compile(rf"(?i)\bname = \"({_NAMES})\"\s{{1,4}}version = \"([0-9][\w.]{{0,30}})\"")
_PINNED = re.compile(rf"(?im)^[ \t]*(?:-[ \t]+)?[\"']?({_NAMES}){_EXTRAS}[ \t]*==[ \t]*{_RELEASE}")
# Conda's own way to name a release; what may follow is the build.
_OF_CONDA = re.compile(rf"(?im)^[ \t]*-[ \t]+[\"']?(?:[\w.-]+::)?({_NAMES})=([0-9]{{1,4}}"
                       r"(?:\.[0-9]{1,5}){2,3})(?![\w.*])")  # fmt: skip
# Amid a line: a command that installs, a list of Python or TOML.
_AMID = re.compile(rf"(?i)(?<![\w./#-])({_NAMES}){_EXTRAS}==[ \t]*{_RELEASE}")
_COMMENT = re.compile(r"(?m)(?:^|\s)#.*$")
_OLDEST = Version("0")


class Pin(NamedTuple):
    """A release, and what names it: a file, or none for the package that is installed.

    One that is carried is a copy of the source: it may have been changed since.
    """

    release: str
    source: Path | None = None
    is_carried: bool = False


def pin(document: ConfigDocument) -> None:
    """Give the sections of a document whose release nobody names the one that its reader has."""
    open_ones = [item for item in document.sections if item.tool and item.schema.version is None]
    if not open_ones:
        return
    found = pins(document.path, {section.tool for section in open_ones})
    for section in open_ones:
        section.pin = found.get(section.tool) or _installed(section.tool)
        section.schema = section.schema.at(section.pin and section.pin.release)
        if (trainer := found.get("transformers")) and section.schema.tool.base:
            section.schema = replace(section.schema, trainer=trainer.release)
        if section.pin and section.pin.is_carried:
            section.closed = section.complete = False


def pins(path: Path, tools: Container[str] = frozenset(TOOLS)) -> dict[str, Pin]:
    """Return the release of each tool that is pinned nearest to a file, by name.

    One that is pinned to two releases in the same folder is left out, and a release that is too
    old for what the folder, or one below it, asks for: it is of another environment.

    Args:
        path: The file.
        tools: Those of which a copy in the repository is looked for.
    """
    found: dict[str, Pin | None] = {}
    least: dict[str, Version] = {}
    with contextlib.suppress(OSError):
        for folder in folders_above(path.resolve().parent):
            for name, release, source in carried(folder, tools):
                found.setdefault(name, Pin(release, source, is_carried=True))
            for name, release, _source in _least(folder):
                least[name] = max(parse_version(release), least.get(name, _OLDEST))
            here: dict[str, dict[str, Path]] = {}
            for name, release, source in _of(folder):
                if not is_version(release) or parse_version(release) >= least.get(name, _OLDEST):
                    here.setdefault(name, {}).setdefault(release, source)
            for name, releases in here.items():
                one = Pin(*releases.popitem()) if len(releases) == 1 else None
                found.setdefault(name, one)
    return {name: one for name, one in found.items() if one}


def _installed(name: str) -> Pin | None:
    """Return the release that is installed beside the command, as it trains where it checks."""
    try:
        return Pin(Version(metadata.version(name)).base_version)
    except (metadata.PackageNotFoundError, InvalidVersion, TypeError):
        return None


def folders_above(folder: Path) -> Iterator[Path]:
    """Yield the folder and those above it, up to the one that holds the repository.

    A copy without ``.git``, as an archive or an image has it, is known by how a project is named.
    """
    listed = [folder, *folder.parents][:_MOST_FOLDERS]
    for is_root in (_is_checkout, _is_project):
        if root := next((at for at, one in enumerate(listed, 1) if is_root(one)), 0):
            yield from listed[:root]
            return
    yield folder


def _is_checkout(folder: Path) -> bool:
    return (folder / ".git").exists()


def _is_project(folder: Path) -> bool:
    """Tell whether a folder is built as a package, or lists what it needs beside its README."""
    if any((folder / name).is_file() for name in _BUILT):
        return True
    listed = any(any(folder.glob(name)) for name in _NEEDED)
    return listed and any(folder.glob("README*"))


def _of(folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield what a folder pins: its lock, and where there is none, its requirements.

    A tool that these hold below a release, without naming one, is at the newest that they allow.
    """
    locks = [_read_rows(folder / name) for name in _LOCKS]
    if any(rows.exact for rows in locks):
        for rows in locks:
            yield from rows.exact
        return
    listed = [_read_rows(path) for glob in _LISTED for path in sorted(folder.glob(glob))]
    exact = [row for rows in listed for row in rows.exact]
    yield from exact
    names = {name for name, _release, _source in exact}
    yield from (row for rows in listed for row in rows.below if row[0] not in names)


def _least(folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield the oldest releases that the requirements of a folder allow."""
    for glob in _LISTED:
        for path in sorted(folder.glob(glob)):
            yield from _read_rows(path).least


class _Rows(NamedTuple):
    """Tool, release and file: of what a file names exactly, and holds below one, and above."""

    exact: tuple[tuple[str, str, Path], ...] = ()
    below: tuple[tuple[str, str, Path], ...] = ()
    least: tuple[tuple[str, str, Path], ...] = ()


def _read_rows(path: Path) -> _Rows:
    """Read a file that pins; an empty answer for one that is absent, too large or no file."""
    with contextlib.suppress(OSError):
        state = path.stat()
        if stat.S_ISREG(state.st_mode) and state.st_size <= _MOST_BYTES:
            return _rows(path, state.st_mtime_ns, state.st_size)
    return _Rows()


@functools.lru_cache(maxsize=64)  # a lock is asked for every file of its repository
def _rows(path: Path, _changed_ns: int, _size: int) -> _Rows:
    text = path.read_text("utf-8", "replace")
    if path.name in _LOCKS:
        return _Rows(_spelt(_named(path.name, text), path))
    read = (one(path.name, text) for one in (_named, bounded, at_least))
    return _Rows(*(_spelt(rows, path) for rows in read))


def _spelt(rows: Iterable[tuple[str, str]], path: Path) -> tuple[tuple[str, str, Path], ...]:
    return tuple((re.sub(r"[-_.]+", "-", name.lower()), release, path) for name, release in rows)


def _named(name: str, text: str) -> list[tuple[str, str]]:
    if name == "Pipfile.lock":
        return _of_pipenv(text)
    if name in _LOCKS:
        return _LOCKED.findall(text)
    if name.startswith("environment."):
        return _PINNED.findall(text) + _OF_CONDA.findall(text)
    if name.endswith(_PROGRAMS) or "dockerfile" in name.lower():
        return _AMID.findall(_COMMENT.sub("", text))
    return _PINNED.findall(text)


def _of_pipenv(text: str) -> list[tuple[str, str]]:
    try:
        packages = json.loads(text)["default"]
        return [(name, packages[name]["version"][2:]) for name in _READ if name in packages]
    except (ValueError, LookupError, TypeError, RecursionError):
        return []
