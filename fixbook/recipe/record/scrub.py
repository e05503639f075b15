"""Take the machine out of a log: paths, process ids, addresses, times.

What is replaced keeps its shape, so that a scrubbed log reads, and is recognised, like a raw one.
"""

from __future__ import annotations

import os
import re
import socket
import sysconfig
from pathlib import Path

MAX_CHARACTERS = 24_000

_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\x1b\[[0-9;]*[A-Za-z]"), ""),
    (re.compile(r"0x[0-9a-f]{6,16}"), "0x0"),
    (re.compile(r"([IWEF])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ "), r"\g<1>0101 00:00:00.000000 1 "),
    (re.compile(r"\d{4}-\d\d-\d\d([T_ ])\d\d:\d\d:\d\d(?:[.,]\d+)?"), r"2000-01-01\g<1>00:00:00"),
    (re.compile(r"\b(pid[ =:]+)\d+", re.IGNORECASE), r"\g<1>1"),
    (re.compile(r"\b(127\.0\.0\.1\]?:)\d{2,5}\b"), r"\g<1>0"),
    (re.compile(r"(?m)^==\d+=="), "==1=="),
    (re.compile(r"/tmp/python-build[\w.-]*"), "<python-build>"),  # noqa: S108
    (re.compile(r"(?m)^(\s*Looking in links: )/.*"), r"\g<1><links>"),  # of pip's configuration
    (re.compile(r"(?m)^(\s*Looking in indexes: ).*"), r"\g<1><indexes>"),
    (re.compile(r"(\bLocation ')file:/[^']*"), r"\g<1><index>"),
)


def scrub(text: str, places: dict[str, Path]) -> str:
    """Replace what belongs to this machine or this moment.

    Args:
        text: A log as it was printed.
        places: Folders to replace, by the name to put in their place, for example ``<scratch>``.

    Returns:
        The log; of a very long one the beginning and the end.
    """
    for path, name in _by_length({**places, **_usual_places()}):
        text = text.replace(path, name)
    text = _host_pattern(socket.gethostname()).sub("host", text)
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return _shorten(text)


def _host_pattern(name: str) -> re.Pattern[str]:
    """Match a host name as a word of its own: one called ``vm`` leaves ``total-vm`` alone."""
    return re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)")


def _usual_places() -> dict[str, Path]:
    paths = sysconfig.get_paths()
    return {
        "<site-packages>": Path(paths["purelib"]),
        "<python>": Path(paths["stdlib"]),
        "<venv>": Path(paths["data"]),
        "~": Path.home(),
    }


def _by_length(places: dict[str, Path]) -> list[tuple[str, str]]:
    """Pair each spelling of a path with its name, longest first, so that the deepest wins."""
    pairs = {
        spelling: name
        for name, path in places.items()
        for spelling in {str(path), str(path.resolve()), os.path.realpath(path)}
        if len(spelling) > 1
    }
    return sorted(pairs.items(), key=lambda pair: -len(pair[0]))


def _shorten(text: str) -> str:
    if len(text) <= MAX_CHARACTERS:
        return text
    head = text[: MAX_CHARACTERS // 3].rpartition("\n")[0]
    tail = text[-2 * MAX_CHARACTERS // 3 :].partition("\n")[2]
    left_out = text.count("\n") - head.count("\n") - tail.count("\n") - 1
    return f"{head}\n[... {left_out:,} lines left out ...]\n{tail}"
