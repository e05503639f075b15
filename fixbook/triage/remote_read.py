"""The logs of a store, read where they lie and never copied to disk."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any, TypeVar

from fixbook.triage.remote import Place, StoreLostError, system
from fixbook.triage.store_errors import reason_in, said_of

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
BUFFER = 4 * 1024**2  # what is asked of a store at once
# What a store says of one object alone.
_OF_ONE = re.compile(r"AWS Error (?:NO_SUCH_KEY|RESOURCE_NOT_FOUND|INVALID_OBJECT_STATE)")


def opened(text: str) -> io.BufferedReader:
    """Open a file of a store; it is read from front to back, or anywhere as a zip asks.

    Args:
        text: Its place.

    Raises:
        OSError: It cannot be read.
        StoreLostError: The store does not answer.
    """
    return io.BufferedReader(_Stream(text), BUFFER)


class _Stream(io.RawIOBase):
    """A file of a store, as Python's own files are."""

    def __init__(self, text: str) -> None:
        base, _hash, path = text.partition("#")
        self._place = Place(base, path)
        seeks = path.lower().endswith(".zip")
        store = system(base)
        self._file: Any = self._asked(
            lambda: (
                store.open_input_file(path)
                if seeks
                else store.open_input_stream(path, compression=None)
            )
        )
        self._seeks = seeks

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._seeks

    def readinto(self, buffer: Any) -> int:
        got: bytes = self._asked(lambda: self._file.read(len(buffer)))
        buffer[: len(got)] = got
        return len(got)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._asked(lambda: int(self._file.seek(offset, whence)))

    def tell(self) -> int:
        return int(self._file.tell())

    def close(self) -> None:
        if not self.closed and hasattr(self, "_file"):
            self._file.close()
        super().close()

    def _asked(self, call: Callable[[], T]) -> T:
        """Ask the store; where it answers of other things, the error is this file's own."""
        try:
            return call()
        except (PermissionError, FileNotFoundError):
            raise
        except OSError as error:
            if "ACCESS_DENIED" in str(error):
                raise PermissionError(13, "Permission denied") from None
            if not _OF_ONE.search(str(error)):
                try:
                    system(self._place.base).get_file_info(self._place.path)
                except OSError as other:
                    raise StoreLostError([said_of(_shown(self._place), other)]) from None
            raise OSError(reason_in(error)) from None


def _shown(place: Place) -> str:
    scheme = place.base.partition("://")[0]
    return f"{scheme}://{place.path.lstrip('/')}"
