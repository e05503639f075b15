"""What a fix changes in a configuration file: the changed lines, and the keys they stand under."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.book import ConfigChange

_AROUND = 1  # unchanged lines shown on each side of a changed one
_GAP = " …"
_KEY = re.compile(r"[\s\"'{,-]*([^\s:=\"']*)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a comparison.

    Attributes:
        sign: ``+`` new, ``-`` taken out, a space for one that stays.
        text: The line.
    """

    sign: str
    text: str

    @property
    def depth(self) -> float:
        """How far in it stands; an item of a list stands deeper than a key beside it."""
        bare = self.text.lstrip()
        return len(self.text) - len(bare) + (0.5 if bare.startswith("- ") else 0)

    @property
    def key(self) -> str:
        """The setting that it is about."""
        found = _KEY.match(self.text)
        return found[1] if found else ""


def changed_lines(folder: Path, change: ConfigChange) -> str:
    """Return what a change of a configuration takes out and puts in, as a diff.

    Args:
        folder: The entry's folder.
        change: The files before and after.

    Returns:
        The lines; empty if a file is missing, which a gate names.
    """
    paths = [folder / name for name in (change.before, change.after)]
    if not all(path.is_file() for path in paths):
        return ""
    before, after = (path.read_text("utf-8", "replace") for path in paths)
    return shown(compared(before, after))


def compared(before: str, after: str) -> list[Line]:
    """Return all lines of two texts: those of both, and what was taken out before what is new."""
    old, new = before.splitlines(), after.splitlines()
    lines = []
    for kind, start, end, first, last in difflib.SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if kind == "equal":
            lines += [Line(" ", text) for text in old[start:end]]
        else:
            lines += [Line("-", text) for text in old[start:end]]
            lines += [Line("+", text) for text in new[first:last]]
    return lines


def shown(lines: list[Line]) -> str:
    """Return the changed lines as a diff, with what stands beside them and the keys above them."""
    kept = sorted({near for n, line in enumerate(lines) if line.sign != " "
                   for near in _about(lines, n)})  # fmt: skip
    out, last = [], kept[0] if kept else 0
    for n in kept:
        out += [_GAP] if n > last + 1 else []
        out.append(lines[n].sign + lines[n].text)
        last = n
    return "\n".join(out)


def _about(lines: list[Line], changed: int) -> Iterator[int]:
    beside = range(max(0, changed - _AROUND), min(len(lines), changed + _AROUND + 1))
    yield from (n for n in beside if lines[n].sign != " " or lines[n].text.strip())
    depth = lines[changed].depth
    for n in range(changed - 1, -1, -1):
        above = lines[n]
        if above.sign == " " and above.text.strip() and above.depth < depth:
            yield n
            depth = above.depth


def taken_out(lines: list[Line]) -> list[str]:
    """Return the lines that go and whose setting no new line is about."""
    new = {line.key for line in lines if line.sign == "+"}
    gone = (line for line in lines if line.sign == "-" and line.text.strip())
    return [line.text.strip() for line in gone if line.key not in new]
