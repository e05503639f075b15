"""Replace a file: its old content or its new one, never a part, and everything else as it was."""

from __future__ import annotations

import contextlib
import difflib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.config.errors import ConfigError

if TYPE_CHECKING:
    from fixbook.config.setting import ConfigDocument

_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"  # the byte order mark


def write(document: ConfigDocument, text: str) -> None:
    """Replace the file of a document, keeping owner, mode, attributes, byte order mark, line ends.

    Raises:
        ConfigError: It is a link, is read-only, has changed since it was read, or cannot be
            replaced as it is; nothing is written.
    """
    path = document.path
    try:
        _replace(path, as_on_disk(document, text).encode(), _replaceable(path))
    except OSError as error:
        raise ConfigError(str(path), "unwritable", reason=error.strerror) from None


def as_on_disk(document: ConfigDocument, text: str) -> str:
    """Return a new text of a document with the byte order mark and the line ends of its file.

    Raises:
        ConfigError: The file has changed since it was read.
        OSError: It cannot be read.
    """
    return as_before(on_disk(document), text)


def as_before(raw: str, text: str) -> str:
    """Return a new text with the byte order mark and the line ends of a raw one."""
    mark = _MARK if raw.startswith(_MARK) else ""
    return mark + with_line_ends_of(raw.removeprefix(_MARK), text)


def on_disk(document: ConfigDocument) -> str:
    """Return the text of a document's file, byte order mark and line ends included.

    Raises:
        ConfigError: The file has changed since it was read.
        OSError: It cannot be read.
    """
    raw = document.path.read_bytes().decode("utf-8", "replace")
    if raw.removeprefix(_MARK).replace("\r\n", "\n") != document.text:
        raise ConfigError(str(document.path), "changed")
    return raw


def with_line_ends_of(raw: str, text: str) -> str:
    r"""Return a text with each line ended as in a raw one: ``\r\n`` or ``\n``, also mixed.

    Lines that are new end like the line before them.
    """
    ends = raw.count("\r\n")
    if ends in {0, raw.count("\n")}:
        return text.replace("\n", "\r\n") if ends else text
    before, after = lines_of(raw), lines_of(text)
    plain = [line.replace("\r\n", "\n") for line in before]
    result: list[str] = []
    matcher = difflib.SequenceMatcher(None, plain, after)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            result += before[a:b]
            continue
        for step, line in enumerate(after[c:d]):
            like = before[min(a + step, b - 1) if b > a else max(a - 1, 0)]
            result.append(line.replace("\n", "\r\n") if like.endswith("\r\n") else line)
    return "".join(result)


def lines_of(text: str) -> list[str]:
    r"""Return the lines with their ends; only ``\n`` ends one, as for `diff` and `patch`."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + lines[-1:] * bool(lines[-1])


def _replaceable(path: Path) -> os.stat_result:
    if path.is_symlink():
        raise ConfigError(str(path), "link", target=path.resolve())
    status = path.stat()
    if status.st_nlink > 1:
        raise ConfigError(str(path), "hard-link", count=status.st_nlink)
    if not status.st_mode & 0o222:
        raise ConfigError(str(path), "read-only", path=path)
    return status


def _replace(path: Path, raw: bytes, status: os.stat_result) -> None:
    import tempfile  # noqa: PLC0415  (slow to import, and most checks write nothing)

    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            _dress(path, file.fileno(), status)
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:  # whatever ends it, Ctrl-C included, leaves no second file behind
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _dress(path: Path, handle: int, status: os.stat_result) -> None:
    """Give the new file the owner, the mode and the attributes of the old one."""
    new = os.fstat(handle)
    if (new.st_uid, new.st_gid) != (status.st_uid, status.st_gid):
        try:
            os.fchown(handle, status.st_uid, status.st_gid)
        except PermissionError:
            raise ConfigError(str(path), "owner") from None
    os.fchmod(handle, status.st_mode & 0o7777)
    if not hasattr(os, "listxattr"):  # only Linux has them here
        return
    for name in os.listxattr(path):
        with contextlib.suppress(OSError):  # some, such as a security label, are not ours to set
            os.setxattr(handle, name, os.getxattr(path, name))
