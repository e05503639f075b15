"""What must hold of every run: a message, an exit code that is documented, and files that stay."""

from __future__ import annotations

import json
import os
import re
import stat
from typing import TYPE_CHECKING

from fixbook.exits import (
    DONE,
    FAILED,
    INTERNAL,
    NOT_RECOGNISED,
    NOTHING_RAN,
    ONLY_POSSIBLE,
    UNUSABLE,
)
from tests.fuzz.intended import unintended

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.fuzz.cases import Case
    from tests.fuzz.forked import Ended

MOST_S = 10.0  # seconds of processor time for any input
MOST_GROWN = 700 * 1024**2  # bytes
_CODES = {
    "check": {DONE, FAILED, UNUSABLE},
    "check --fix": {DONE, FAILED, UNUSABLE},
    "diagnose": {DONE, UNUSABLE, ONLY_POSSIBLE, NOT_RECOGNISED},
    "book": {DONE, FAILED, UNUSABLE, NOTHING_RAN, NOT_RECOGNISED},
    "words": {DONE, FAILED, UNUSABLE, NOTHING_RAN, ONLY_POSSIBLE, NOT_RECOGNISED},
}
_DRIVES = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]")
_MACHINE = {b"--json", b"--sarif"}
Snapshot = dict[bytes, tuple[int, bytes]]


def snapshot(folder: Path) -> Snapshot:
    """Return mode and content of everything below a folder."""
    found: Snapshot = {}
    for root, folders, files in os.walk(os.fsencode(folder)):
        for name in [*folders, *files]:
            path = os.path.join(root, name)  # noqa: PTH118  (names are bytes)
            mode = os.lstat(path).st_mode
            content = b""
            if stat.S_ISLNK(mode):
                content = os.readlink(path)  # noqa: PTH115
            elif stat.S_ISREG(mode):
                with open(path, "rb") as file:  # noqa: PTH123
                    content = file.read()
            found[os.path.relpath(path, os.fsencode(folder))] = mode, content
    return found


def wrong(case: Case, ended: Ended, before: Snapshot, after: Snapshot) -> list[str]:
    """Say what is wrong with a run; nothing if all is well.

    Args:
        case: What was run.
        ended: How it ended.
        before: The files around it, before.
        after: The same, after.
    """
    return [*_ending(case, ended), *_printed(case, ended), *_files(case, before, after)]


def _ending(case: Case, ended: Ended) -> Iterator[str]:
    err = ended.err.decode("utf-8", "replace")
    if ended.code == INTERNAL or "Traceback (most recent" in err:
        yield "traceback: " + err.strip()[-300:]
    elif ended.code not in _CODES[case.group]:
        yield f"exit code {ended.code}: {err.strip()[-200:]}"
    if ended.code == UNUSABLE and not ended.err.strip():
        yield "exit code 2 without a message"
    if ended.seconds > MOST_S:
        yield f"took {ended.seconds:.0f} s"
    if ended.grown > MOST_GROWN:
        yield f"took {ended.grown // 1024**2} MiB"


def _printed(case: Case, ended: Ended) -> Iterator[str]:
    try:
        out = ended.out.decode()
    except UnicodeDecodeError as error:
        yield f"prints what is no UTF-8: {error}"
        return
    machine = _MACHINE & set(case.argv)
    if machine and ended.code in {DONE, FAILED} and case.group == "check":
        try:
            json.loads(out)
        except ValueError as error:
            yield f"prints what is no JSON: {error}"
    elif not machine and "--diff" not in map(os.fsdecode, case.argv):
        drives = _DRIVES.search(out + ended.err.decode("utf-8", "replace"))
        if drives:
            yield f"prints {drives[0]!r}, which drives a terminal"


def _files(case: Case, before: Snapshot, after: Snapshot) -> Iterator[str]:
    may_come = b"book/recipes/" if b"new" in case.argv[:1] else None
    if may_come:  # the list of slugs gets one more
        before, after = (
            {k: v for k, v in one.items() if k != b"book/slugs.txt"} for one in (before, after)
        )
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old == new or (old is None and may_come and name.startswith(may_come)):
            continue
        if old is None or new is None:
            yield f"{'makes' if old is None else 'removes'} {name!r}"
        elif not case.fixes or name not in case.files or old[0] != new[0]:
            yield f"changes {name!r}"
        elif said := unintended(_checked(case), _tool(case), os.fsdecode(name), new[1]):
            yield f"{name!r}: {said}"


def _checked(case: Case) -> dict[str, bytes]:
    return {os.fsdecode(name): content for name, content in case.files.items()}


def _tool(case: Case) -> str:
    after = case.argv[case.argv.index(b"--tool") + 1 :] if b"--tool" in case.argv else ()
    return os.fsdecode(after[0]) if after else ""
