"""Where the stored entries of a zip file lie, as torch writes it; nothing is unpacked."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import TYPE_CHECKING

from fixbook.run_files.safetensors_files import UnreadableError
from fixbook.text import _

if TYPE_CHECKING:
    from pathlib import Path

MOST_DIRECTORY = 64 * 1024 * 1024
_END, _END64 = b"PK\x05\x06", b"PK\x06\x07"
_TAIL = 64 * 1024 + 64
_LOCAL = struct.Struct("<4s22xHH")
_FULL = 0xFFFFFFFF


class Window(io.RawIOBase):
    """A part of a file, as a file of its own: a shard holds one zip after the other."""

    def __init__(self, path: Path, offset: int, size: int) -> None:
        """Open it; nothing is read."""
        self._file = path.open("rb")
        self._offset, self._size, self._at = offset, size, 0

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def seekable(self) -> bool:
        """Tell that it can be read anywhere."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place."""
        self._at = max(0, offset + (0, self._at, self._size)[whence])
        return self._at

    def tell(self) -> int:
        """Return the place."""
        return self._at

    def readinto(self, into: memoryview) -> int:  # type: ignore[override]
        """Read what is there."""
        self._file.seek(self._offset + self._at)
        data = self._file.read(min(len(into), max(0, self._size - self._at)))
        into[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


def regions_in(path: Path, offset: int, size: int) -> dict[str, tuple[int, int]]:
    """Return where each stored entry begins in the file, and its length, by name.

    Args:
        path: The file.
        offset: Where the zip begins in it.
        size: Its length.

    Raises:
        UnreadableError: It is no such zip, is torn, or holds packed entries.
        OSError: It cannot be read.
    """
    with Window(path, offset, size) as window:
        _bounded(window, size)
        try:
            with zipfile.ZipFile(window) as archive:
                entries = archive.infolist()
        except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error) as error:
            raise UnreadableError(str(error)[:120]) from None
        found = {}
        for entry in entries:
            if entry.compress_type != zipfile.ZIP_STORED:
                raise UnreadableError(_("it is packed, as torch writes none"))
            window.seek(entry.header_offset)
            head = window.read(_LOCAL.size)
            if len(head) < _LOCAL.size or not head.startswith(b"PK\x03\x04"):
                raise UnreadableError(_("it is torn"))
            _magic, name, extra = _LOCAL.unpack(head)
            begin = entry.header_offset + _LOCAL.size + name + extra
            if begin + entry.file_size > size:
                raise UnreadableError(_("it is torn"))
            found[entry.filename] = (offset + begin, entry.file_size)
        return found


def _bounded(window: Window, size: int) -> None:
    """Refuse a list of entries that would fill the memory, before it is read."""
    window.seek(max(0, size - _TAIL))
    tail = window.read(_TAIL)
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + 22:
        raise UnreadableError(_("it breaks off, or is no zip as torch writes it"))
    (length,) = struct.unpack_from("<I", tail, at + 12)
    if length == _FULL and tail[at - 20 : at - 16] == _END64:
        (where,) = struct.unpack_from("<Q", tail, at - 12)
        window.seek(min(where, size))
        record = window.read(56)
        length = struct.unpack_from("<Q", record, 40)[0] if len(record) == 56 else _FULL  # noqa: PLR2004
    if length > MOST_DIRECTORY:
        raise UnreadableError(_("its list of entries claims {size} bytes").format(size=length))
