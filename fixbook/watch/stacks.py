"""Stacks of running Python processes, by py-spy or pystack where one is installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from fixbook.run_files.groups import Frame

if TYPE_CHECKING:
    from fixbook.run_files.groups import Stack

_SECONDS = 20.0
_MOST_BYTES = 4 * 1024 * 1024
# pystack: `(Python) File "/a/b.py", line 3, in work`, the innermost one last.
_FRAME = re.compile(r'^\s*\(Python\) File "([^"\n]{1,400})", line (\d{1,7}), in (\S{1,200})')
_THREAD = re.compile(r"^Traceback for thread (\d{1,9})")


@dataclass(frozen=True, slots=True)
class Tool:
    """What reads stacks.

    Attributes:
        name: py-spy or pystack.
        path: The program.
    """

    name: str
    path: str

    def stack(self, pid: int) -> Stack | None:
        """Return where the main thread of a process is; None if that cannot be read."""
        if self.name == "pystack":
            said = _said([self.path, "remote", str(pid)])
            return _of_pystack(said, pid) if said else None
        for way in (["--nonblocking"], []):  # which works on stopped and on traced ones, too
            said = _said([self.path, "dump", "--json", *way, "--pid", str(pid)])
            if said and (stack := _of_py_spy(said, pid)):
                return stack
        return None


class Reader(Protocol):
    """Reads where the main thread of a process is."""

    def stack(self, pid: int) -> Stack | None:
        """Return it; None if it cannot be read."""
        ...


@dataclass(frozen=True, slots=True)
class Readers:
    """Several ways, the first that answers."""

    ways: tuple[Reader, ...]

    def stack(self, pid: int) -> Stack | None:
        """Return where the main thread of a process is; None if no way can tell."""
        return next((found for one in self.ways if (found := one.stack(pid))), None)


def may_read(reader: Reader) -> bool:
    """Try it on ourselves: what forbids tracing us forbids tracing the run, too."""
    return bool(reader.stack(os.getpid()))


def tool() -> Tool | None:
    """Return what is installed, beside the Python that runs us or on the path; None if nothing."""
    for name in ("py-spy", "pystack"):
        beside = Path(sys.executable).with_name(name)
        path = str(beside) if beside.is_file() else shutil.which(name)
        if path:
            return Tool(name, path)
    return None


def _said(command: list[str]) -> str:
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout[:_MOST_BYTES].decode("utf-8", "replace")


def _of_py_spy(said: str, pid: int) -> Stack | None:
    try:
        threads = json.loads(said)
        main = next(
            (one for one in threads if one.get("os_thread_id") == pid),
            next((one for one in threads if one.get("thread_name") == "MainThread"), None),
        )
        if main is None:
            return None
        return tuple(
            Frame(str(one["filename"]), int(one["line"]), str(one["name"]))
            for one in main["frames"]
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _of_pystack(said: str, pid: int) -> Stack | None:
    frames: list[Frame] = []
    inside = False
    for line in said.splitlines():
        if thread := _THREAD.match(line):
            inside = int(thread[1]) == pid
        elif inside and (found := _FRAME.match(line)):
            frames.append(Frame(found[1], int(found[2]), found[3]))
    return tuple(reversed(frames)) or None
