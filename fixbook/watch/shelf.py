"""A bounded file of what a command printed: its beginning and its end."""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MIB = 1024 * 1024
MOST_BYTES = 32 * MIB
LEFT_OUT = "[fixbook watch: {count} bytes that were printed here are not kept]"
_HEAD_SHARE = 4  # a quarter is kept of the beginning, the rest is the end


class Shelf:
    """Keeps one stream; whatever the disk refuses is counted and left out."""

    def __init__(self, path: Path, most: int = MOST_BYTES) -> None:
        """Begin a file.

        Args:
            path: The file; while it runs, later parts stand beside it.
            most: Most bytes that are kept, about half of the end's more while it is written.
        """
        self.left_out = 0
        self._path = path
        self._head = most // _HEAD_SHARE
        self._part = max(1, (most - self._head) // 2)
        self._number = 0  # of the part that is written; 0 is the beginning
        self._size = 0
        self._sizes: dict[int, int] = {}
        self._file = self._opened(path)

    def keep(self, data: bytes) -> None:
        """Keep what was printed."""
        if self._file is None:
            self.left_out += len(data)
            return
        limit = self._part if self._number else self._head
        rest = data[: max(0, limit - self._size)]
        self._write(rest)
        if len(rest) < len(data):
            self._next()
            self.keep(data[len(rest) :])

    def close(self) -> None:
        """Put beginning and end into one file, with a line on what is missing between them."""
        if self._file is None:
            return
        with contextlib.suppress(OSError):
            os.close(self._file)
        self._file = None
        parts = [number for number in (self._number - 1, self._number) if number > 0]
        with contextlib.suppress(OSError), self._path.open("ab") as whole:
            if self.left_out:
                whole.write(f"\n{LEFT_OUT.format(count=self.left_out)}\n".encode())
            for path in map(self._part_path, parts):
                with contextlib.suppress(OSError), path.open("rb") as part:
                    shutil.copyfileobj(part, whole, MIB)
                path.unlink(missing_ok=True)

    def _write(self, data: bytes) -> None:
        written = 0
        with contextlib.suppress(OSError):  # a full disk must not stop the command
            while self._file is not None and written < len(data):
                written += os.write(self._file, data[written:])
        self._size += len(data)
        self.left_out += len(data) - written
        self._sizes[self._number] = self._sizes.get(self._number, 0) + written

    def _next(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._number += 1
        self._size = 0
        gone = self._number - 2
        if gone > 0:
            self._part_path(gone).unlink(missing_ok=True)
            self.left_out += self._sizes.pop(gone, 0)
        self._file = self._opened(self._part_path(self._number))

    def _part_path(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")

    @staticmethod
    def _opened(path: Path) -> int | None:
        try:
            return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
        except OSError:
            return None
