"""What is known of libraries: how a path names one, where its issues and its help page are."""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("libraries.json")
# `<overlay>` is how records call the folder of another release that a step ran on.
PACKAGES = re.compile(
    r"(?:[\\/<>](?:site|dist)-packages>?|<overlay>)[\\/]([\w.+-]{1,80})", re.ASCII
)
STANDARD = re.compile(
    r"<frozen |<string>$|<__array|[\\/]lib[\\/]python\d\.\d{1,2}[\\/]|[\\/]lib[\\/]\w{1,30}\.py$"
    r"|[\\/]bin[\\/][\w.-]{1,60}$|[\\/]python\d\.\d{1,2}\.zip",
    re.ASCII,
)
EGG = re.compile(r"^([\w.]+?)-\d[\w.+]*-py\d.*\.egg$", re.ASCII)


@dataclass(frozen=True, slots=True)
class Library:
    """A library that people report failures of.

    Attributes:
        name: The package that is imported.
        repo: Owner and name on GitHub.
        docs: Its page about failures; empty if we know none.
        names: Further names under which it prints its version.
    """

    name: str
    repo: str
    docs: str = ""
    names: tuple[str, ...] = ()


@functools.cache
def libraries() -> dict[str, Library]:
    """Return the libraries by the name that is imported."""
    rows = json.loads(FILE.read_bytes())
    return {
        name: Library(name, row["repo"], row.get("docs", ""), tuple(row.get("names", ())))
        for name, row in rows.items()
    }


def library_of(path: str) -> str:
    """Return the library that a file belongs to: ``python`` for the standard library.

    Args:
        path: As a traceback prints it.

    Returns:
        The package, or nothing if the file is the user's own.
    """
    installed = PACKAGES.search(path)
    if installed:
        egg = EGG.match(installed[1])
        return (egg[1] if egg else installed[1]).removesuffix(".py")
    parts = [part for part in re.split(r"[\\/]", path) if part and part != "."]
    for at in range(len(parts) - 2, -1, -1):
        if parts[at] in libraries() and _is_package(parts, at):
            return parts[at]
    return "python" if STANDARD.search(path) else ""


def _is_package(parts: list[str], at: int) -> bool:
    """Whether a folder is the package itself, and not a project that is called like it."""
    before = parts[at - 1].lower() if at else ""
    return at == 0 or before in {"src", "python", parts[at]}
