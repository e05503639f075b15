"""What is installed or pinned: distributions with their releases, from wherever they are listed."""

from __future__ import annotations

import importlib.metadata
import json
import stat
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

from fixbook.problem import BookError, Problem
from fixbook.text import _
from fixbook.versions import is_version

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_BYTES = 16 * 1024 * 1024
ENVIRONMENT = "environment"
_TIMEOUT_S = 60
_LIST = """
import json
from importlib.metadata import distributions
found = [(d.metadata["Name"], d.version) for d in distributions() if d.metadata]
print(json.dumps([one for one in found if one[0]]))
"""


@dataclass(frozen=True, slots=True)
class Installed:
    """A distribution and its release.

    Attributes:
        name: Its normalised name.
        release: The release.
        line: Where it stands in its file, from 1; 0 where there is none.
    """

    name: str
    release: str
    line: int = 0


@dataclass(slots=True)
class Inventory:
    """What one list has.

    Attributes:
        source: The file, or `ENVIRONMENT`.
        kind: What it was read as, such as ``requirements``.
        found: Distributions with a release that can be compared.
        open: What has none: not pinned, an address, no version as PEP 440 has them. By name, with
            what stands there.
    """

    source: str
    kind: str
    found: list[Installed] = field(default_factory=list)
    open: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, release: str | None, line: int = 0, *, said: str = "") -> None:
        """Add a distribution, to what can be compared if its release is one.

        Args:
            name: Its name, however it is written.
            release: The release; None where none is named.
            line: Where it stands.
            said: What stands there instead of a release.
        """
        known = canonicalize_name(name)
        if release and is_version(release):
            row = Installed(known, release, line)
            if (known, release) not in {(one.name, one.release) for one in self._of(known)}:
                self.found.append(row)
        else:
            self.open.setdefault(known, said or release or "")

    def _of(self, name: str) -> Iterable[Installed]:
        return (one for one in self.found if one.name == name)


class InventoryError(BookError):
    """A list cannot be read; the message says what was expected."""

    def __init__(self, where: str, what: str, mend: str) -> None:
        super().__init__([Problem(where, what, mend)])


def this_environment() -> Inventory:
    """Return what is installed where this runs."""
    found = importlib.metadata.distributions()  # a folder may lack its METADATA
    return _environment((one.metadata["Name"], one.version) for one in found if one.metadata)


def environment_of(python: str) -> Inventory:
    """Return what is installed for another interpreter, which is started to be asked.

    Args:
        python: The interpreter, such as ``.venv/bin/python``.

    Raises:
        InventoryError: It cannot be started, or does not answer.
    """
    mend = _("name the Python that trains, such as .venv/bin/python")
    try:
        told = subprocess.run(
            [python, "-c", _LIST], capture_output=True, timeout=_TIMEOUT_S, check=True
        ).stdout
        return _environment(json.loads(told))
    except OSError as error:
        what = _("cannot be started: {reason}").format(reason=error.strerror)
        raise InventoryError(python, what, mend) from None
    except (subprocess.SubprocessError, ValueError):
        raise InventoryError(python, _("does not list its packages"), mend) from None


def _environment(found: Iterable[tuple[str | None, str]]) -> Inventory:
    """Return distributions as a list; the first of a name counts, as for an import."""
    inventory = Inventory(ENVIRONMENT, ENVIRONMENT)
    seen = set()
    for name, release in found:
        if name and canonicalize_name(name) not in seen:
            seen.add(canonicalize_name(name))
            inventory.add(name, release)
    inventory.found.sort(key=lambda row: row.name)
    return inventory


def bounded(name: str) -> str:
    """Return the text of a file, or of standard input for ``-``.

    Raises:
        InventoryError: It is missing, no file, too large, or no text in UTF-8 or UTF-16.
    """
    try:
        raw = _bytes(name)
    except OSError as error:
        what = _("cannot be read: {reason}").format(reason=error.strerror)
        raise InventoryError(name, what, _("look at its path and permissions")) from None
    if len(raw) > MOST_BYTES:
        what = _("is over {most} MiB").format(most=MOST_BYTES // 2**20)
        raise InventoryError(name, what, _("a list of packages is small; is this another file?"))
    try:  # PowerShell writes `pip freeze > file` in UTF-16
        text = raw.decode("utf-16" if raw[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig")
    except UnicodeDecodeError:
        raise InventoryError(name, _("is no text in UTF-8"), _("save it as UTF-8")) from None
    if "\0" in text:
        raise InventoryError(name, _("holds binary data"), _("name a list of packages"))
    return text


def _bytes(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    path = Path(name)
    if not stat.S_ISREG(path.stat().st_mode):  # a pipe would be waited for without end
        what, mend = _("is not a file"), _("name a list of packages, or - for standard input")
        raise InventoryError(name, what, mend)
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)
