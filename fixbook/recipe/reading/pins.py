"""Versions stand in the requirements files alone; the headers of recipes are written from them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.files import write_atomically
from fixbook.recipe.reading.header import BLOCK, DEPENDENCIES, from_checkout
from fixbook.versions import canonical_name, requirement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_FILES = ("requirements-site.txt", "requirements.txt", "requirements-nodeps.txt")
_PIN = re.compile(r"(?m)^(?P<name>[A-Za-z0-9._-]+)==(?P<version>\S+)")
_ITEM = re.compile(r'"(?P<text>[^"]+)"')
_METADATA = re.compile(
    r'(?m)^(?P<before># name = "(?P<name>[^"]+)"\n# version = ")(?P<version>[^"]*)(?=")'
)


def pins(root: Path) -> dict[str, str]:
    """Return the pinned version of every distribution, by canonical name.

    Args:
        root: The checkout; empty where it holds no requirements files.
    """
    found = {}
    for name in _FILES:
        path = root / name
        if path.is_file():
            for pin in _PIN.finditer(path.read_text("utf-8")):
                found[str(canonical_name(pin["name"]))] = pin["version"]
    return found


def with_pins(text: str, versions: Mapping[str, str]) -> str:
    """Return a script with the versions in its metadata (PEP 723) set to the pinned ones.

    Names that are not pinned, and all else, stay as they are.

    Args:
        text: The script.
        versions: Versions by canonical name.
    """
    return BLOCK.sub(lambda block: _pinned_block(block[0], versions), text, count=1)


def without_pin(text: str, versions: Mapping[str, str]) -> Iterator[str]:
    """Name the distributions in a script's metadata that no requirements file pins.

    Args:
        text: The script.
        versions: Versions by canonical name.
    """
    block = BLOCK.search(text)
    found = block and DEPENDENCIES.search(block[0])
    for item in _ITEM.finditer(found["items"]) if found else ():
        name = requirement(item["text"]).name
        if name != "fixbook" and canonical_name(name) not in versions:
            yield name


def scripts(root: Path) -> list[Path]:
    """Return the scripts of all recipes, sorted."""
    return sorted((root / "recipes").glob("*/recipe.py"))


def write_pins(paths: Iterable[Path], versions: Mapping[str, str]) -> list[Path]:
    """Write the pinned versions into the metadata of scripts, and where fixbook comes from.

    Args:
        paths: The scripts.
        versions: Versions by canonical name.

    Returns:
        Those that differed and were written.

    Raises:
        ValueError: A script's metadata is wrong.
    """
    written = []
    for path in paths:
        text = path.read_text("utf-8")
        new = from_checkout(with_pins(text, versions))
        if new != text:
            write_atomically(path, new, mode=path.stat().st_mode & 0o777)
            written.append(path)
    return written


def _pinned_block(block: str, versions: Mapping[str, str]) -> str:
    block = DEPENDENCIES.sub(
        lambda found: _ITEM.sub(lambda item: f'"{_pin(item["text"], versions)}"', found[0]), block
    )
    return _METADATA.sub(
        lambda found: (
            found["before"] + versions.get(canonical_name(found["name"]), found["version"])
        ),
        block,
    )


def _pin(text: str, versions: Mapping[str, str]) -> str:
    need = requirement(text)
    version = versions.get(canonical_name(need.name))
    return f"{need.name}=={version}" if version else text
