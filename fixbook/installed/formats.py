"""The lists that are read: pip's, requirements, locks of uv, Poetry, PDM, pip and Pipenv."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from fixbook.installed.inventory import Inventory, InventoryError, bounded
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

_EDITABLE = re.compile(r"# Editable .*\((?P<name>[\w.-]+)==(?P<release>[^\s)]+)\)")
_TABLE = re.compile(r"^(?P<name>[A-Za-z0-9][\w.-]*)\s+(?P<release>\d[\w.+!-]*)(?:\s+\S.*)?$")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_OPTION = re.compile(r"\s--[a-z].*")  # of one requirement: --hash, --config-settings
_EXACT = {"==", "==="}
_EXPECTED = "requirements.txt, pip freeze, pip list [--format json], uv.lock, pylock.toml"


def read_inventory(name: str) -> Inventory:
    """Read a list of packages.

    Args:
        name: The file, or ``-`` for standard input.

    Raises:
        InventoryError: It cannot be read, or nothing in it is a package.
    """
    text = bounded(name)
    start = text.lstrip()[:1]
    try:
        if start in {"[", "{"} and (data := _json(text)) is not None:
            inventory = _from_json(name, data)
        elif re.search(r"(?m)^\[\[(?:package|packages)\]\]", text):
            inventory = _from_toml(name, text)
        else:
            inventory = _from_lines(name, text)
    except RecursionError:
        raise _refused(name, _("is nested too deeply to be a list of packages")) from None
    if not inventory.found and not inventory.open:
        raise _refused(name, _("names no package"))
    return inventory


def _refused(name: str, what: str) -> InventoryError:
    return InventoryError(name, what, _("expected is one of: {forms}").format(forms=_EXPECTED))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _from_json(name: str, data: Any) -> Inventory:
    """Read ``pip list --format json``, ``uv pip list --format json`` or ``Pipfile.lock``."""
    if isinstance(data, list):
        inventory = Inventory(name, "pip list")
        for row in data:
            if isinstance(row, dict) and isinstance(row.get("name"), str):
                release = row.get("version")
                inventory.add(row["name"], release if isinstance(release, str) else None)
        return inventory
    inventory = Inventory(name, "Pipfile.lock")
    for section in ("default", "develop"):
        packages = data.get(section) if isinstance(data, dict) else None
        for package, row in packages.items() if isinstance(packages, dict) else ():
            pinned = row.get("version") if isinstance(row, dict) else None
            release = pinned.removeprefix("==") if isinstance(pinned, str) else None
            inventory.add(package, release)
    return inventory


def _from_toml(name: str, text: str) -> Inventory:
    """Read a lock that lists tables ``package`` (uv, Poetry, PDM) or ``packages`` (pylock)."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _refused(name, _("is not valid TOML: {reason}").format(reason=error)) from None
    inventory = Inventory(name, "lock")
    lines = _lines_of(text)
    rows = data.get("package") or data.get("packages")
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and isinstance(row.get("name"), str):
            release = row.get("version")
            known = release if isinstance(release, str) else None
            inventory.add(row["name"], known, lines.get((row["name"], known), 0))
    return inventory


def _lines_of(text: str) -> dict[tuple[str, str | None], int]:
    """Return the line of each package of a lock, by its name and release."""
    found: dict[tuple[str, str | None], int] = {}
    name, at = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith('name = "'):
            name, at = line.split('"')[1], number
        elif line.startswith('version = "') and name:
            found.setdefault((name, line.split('"')[1]), at)
            name = ""
    return found


def _from_lines(name: str, text: str) -> Inventory:
    inventory = Inventory(name, "requirements")
    for number, line in _logical(text):
        editable = _EDITABLE.match(line)
        if editable:
            inventory.add(editable["name"], editable["release"], number)
            continue
        stripped = _OPTION.sub("", _COMMENT.sub("", line)).strip()
        if not stripped or stripped.startswith("-"):
            continue
        try:
            wanted = Requirement(stripped)
        except InvalidRequirement:
            _other(inventory, stripped, number)
        else:
            _required(inventory, wanted, number)
    return inventory


def _logical(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers; one that ends with a backslash goes on in the next."""
    begun, parts = 0, []
    for number, line in enumerate(text.splitlines(), 1):
        begun = begun or number
        parts.append(line.removesuffix("\\"))
        if not line.endswith("\\"):
            yield begun, " ".join(parts)
            begun, parts = 0, []
    if parts:
        yield begun, " ".join(parts)


def _required(inventory: Inventory, wanted: Requirement, number: int) -> None:
    exact = [one.version for one in wanted.specifier if one.operator in _EXACT]
    release = exact[0] if len(exact) == 1 and "*" not in exact[0] else None
    if wanted.url and (named := _wheel(wanted.url)):
        release = named
    inventory.add(wanted.name, release, number, said=wanted.url or str(wanted.specifier))


def _other(inventory: Inventory, line: str, number: int) -> None:
    """Read a line of ``pip list``, or the address of a wheel; leave what is neither."""
    row = _TABLE.match(line)
    if row:
        inventory.add(row["name"], row["release"], number)
    elif line.endswith(".whl") and (named := _wheel(line)):
        inventory.add(line.rpartition("/")[2].partition("-")[0], named, number)


def _wheel(address: str) -> str | None:
    """Return the release that the name of a wheel says."""
    file = address.partition("#")[0].rpartition("/")[2].replace("%2B", "+")
    try:
        return str(parse_wheel_filename(file)[1])
    except InvalidWheelFilename:
        return None
