"""Files that a launcher gives each rank for its output: found while it runs, kept at its end."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.watch.shelf import LEFT_OUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fixbook.watch.tree import Process

_STREAMS = {1: "stdout", 2: "stderr"}
# torchrun's, which accelerate's launcher passes on; and that of DeepSpeed's own launcher.
_FLAG = re.compile(r"--(?:log[-_]dir|enable_each_rank_log)(?:=(.+))?$", re.DOTALL)
_OF_TORCHRUN = re.compile(r"attempt_(\d{1,6})/(\d{1,6})/std(out|err)\.log$", re.ASCII)
_OF_DEEPSPEED = re.compile(r"\d{8,20}_rank(\d{1,6})\.log$", re.ASCII)  # both streams in one
_VARIABLE = "PET_LOG_DIR"  # as torchrun takes its options from the environment
_MOST_FILES = 512
_HEAD, _TAIL = 1024 * 1024, 3 * 1024 * 1024


@dataclass(slots=True)
class RankFiles:
    """The files of the ranks of one run.

    Attributes:
        found: Which rank and stream each file is of.
    """

    found: dict[Path, tuple[int, str]] = field(default_factory=dict)
    _known: set[int] = field(default_factory=set)

    def look(self, processes: Iterable[Process]) -> None:
        """See where ranks write; a file that is no regular one is the launcher's own business."""
        for one in processes:
            if one.rank is None or one.gone or one.pid in self._known:
                continue
            self._known.add(one.pid)
            for number, stream in _STREAMS.items():
                with contextlib.suppress(OSError):
                    end = f"/proc/{one.pid}/fd/{number}"
                    if stat.S_ISREG(Path(end).stat().st_mode) and len(self.found) < _MOST_FILES:
                        self.found.setdefault(Path(end).readlink(), (one.rank, stream))

    def size(self) -> int:
        """Bytes in all of them: what grows is no silence."""
        sizes = 0
        for path in self.found:
            with contextlib.suppress(OSError):
                sizes += path.stat().st_size
        return sizes

    def keep(self, folder: Path, command: Sequence[str], began: float) -> list[str]:
        """Copy beginning and end of each into the folder of the run; return the sources.

        Args:
            folder: Where to.
            command: The command, which may name the launcher's own folder.
            began: When it was started; older files are of other runs.
        """
        for path, place in _of_launcher(command, began, self._first()):
            if len(self.found) < _MOST_FILES:
                self.found.setdefault(path, place)
        kept: list[str] = []
        for path, (rank, stream) in sorted(self.found.items()):
            number = sum(name.startswith(f"rank-{rank}.{stream}") for name in kept)
            name = f"rank-{rank}.{stream}{f'.{number}' if number else ''}.log"
            with contextlib.suppress(OSError):
                if path.stat().st_size:
                    (folder / name).write_bytes(_ends(path))
                    kept.append(name)
        return [str(path) for path in sorted(self.found)]

    def _first(self) -> int:
        """The rank with which this node begins: a launcher counts its own from 0."""
        for path, (rank, _stream) in self.found.items():
            if place := _OF_TORCHRUN.search(path.as_posix()):
                return rank - int(place[2])
        return 0


def _of_launcher(
    command: Sequence[str], began: float, first: int
) -> Iterator[tuple[Path, tuple[int, str]]]:
    named = [os.environ.get(_VARIABLE, "")]
    for at, word in enumerate(command):
        if flag := _FLAG.match(word):
            named.append(flag[1] or "".join(command[at + 1 : at + 2]))
    for folder in map(Path, filter(None, named)):
        listed = [*folder.glob("*/attempt_*/*/std*.log"), *folder.glob("*_rank*.log")]
        for path in sorted(listed):
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < began - 1:
                    continue
                if place := _OF_TORCHRUN.search(path.as_posix()):
                    yield path.resolve(), (first + int(place[2]), f"std{place[3]}")
                elif place := _OF_DEEPSPEED.match(path.name):
                    yield path.resolve(), (int(place[1]), _STREAMS[1])


def _ends(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(_HEAD + _TAIL + 1)
        if len(data) <= _HEAD + _TAIL:
            return data
        size = path.stat().st_size
        file.seek(size - _TAIL)
        head, tail = data[:_HEAD].rpartition(b"\n")[0], file.read(_TAIL).partition(b"\n")[2]
    said = LEFT_OUT.format(count=size - len(head) - len(tail))
    return head + f"\n{said}\n".encode() + tail
