"""One archive of a watched run, redacted, to be read before it is sent."""

from __future__ import annotations

import io
import json
import tarfile
from typing import TYPE_CHECKING, Any

from fixbook.log.redact import redact
from fixbook.machine.report import names_hidden, report
from fixbook.problem import BookError, Problem
from fixbook.text import _
from fixbook.watch.folder import RECORD, logs, parts, read

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_HEAD, _TAIL = 64 * 1024, 448 * 1024  # bytes of each log
_MOST_FILES = 64
_CUT = "\n[fixbook watch: the middle of this file is left out of the report]\n"


def pack(folder: Path, target: Path) -> list[str]:
    """Pack what was seen of a run; return the names of what is in the archive.

    Args:
        folder: That of the run.
        target: The archive; it must not be there yet.

    Raises:
        BookError: The folder holds no watched run, or the archive cannot be written.
    """
    runs = {name: seen for name, place in parts(folder).items() if (seen := read(place))}
    if not runs:
        mend = _("name its folder, or watch a run first: fixbook watch -- COMMAND")
        raise BookError([Problem(str(folder), _("holds no watched run"), mend)])
    hide = names_hidden()

    def clean(text: str) -> str:
        return hide(redact(text))

    files = {f"{name}{RECORD}": _json(_cleaned(seen, clean)) for name, seen in runs.items()}
    files["machine.json"] = _json(report())
    listed = [(name, path) for name in runs for path in logs(folder / name)]
    for name, path in listed[:_MOST_FILES]:
        files[name + path.name] = clean(_ends(path))
    try:
        with target.open("xb") as file, tarfile.open(fileobj=file, mode="w:gz") as archive:
            for name, text in files.items():
                data = text.encode()
                member = tarfile.TarInfo(f"{target.name.partition('.')[0]}/{name}")
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    except OSError as error:
        said = _("cannot be written: {reason}").format(reason=error.strerror)
        raise BookError([Problem(str(target), said, _("name another file"))]) from None
    return list(files)


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {name: _cleaned(one, clean) for name, one in value.items()}
    if isinstance(value, list):
        return [_cleaned(one, clean) for one in value]
    return value


def _ends(path: Path) -> str:
    """Return the beginning and the end of a file, whole lines where it is cut."""
    with path.open("rb") as file:
        data = file.read(_HEAD + _TAIL + 1)
        if len(data) <= _HEAD + _TAIL:
            return data.decode("utf-8", "replace")
        head = data[:_HEAD].rpartition(b"\n")[0]
        file.seek(-_TAIL, io.SEEK_END)
        tail = file.read().partition(b"\n")[2]
    return head.decode("utf-8", "replace") + _CUT + tail.decode("utf-8", "replace")
