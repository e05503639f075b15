"""The folder of a watched run: what it printed, and what was seen of it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_state_path

from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.watch.ranks import Given

RECORD = "watch.json"
_MOST_RUNS = 20  # of the folders that we have named ourselves
_TASK = "task-"


def root() -> Path:
    """Return where folders of runs are that nobody has named."""
    return user_state_path("fixbook", appauthor=False) / "watch"


def new(named: Path | None, task: Given | None = None) -> Path | None:
    """Make the folder of a run; None if there is no place for it.

    Args:
        named: Where it is to be; by default among the reader's own state.
        task: Which of several watchers we are that a launcher has started beside each other: they
            share the folder that is named, and each has one of its own there.

    Raises:
        BookError: The named one cannot be used.
    """
    number = task.rank if task and (task.size or 0) > 1 else None
    if named is None:
        folder = _among_ours(number)
    else:
        folder = _named(named if number is None else named / f"{_TASK}{number}")
        _forget(named, task)
    write(folder, {"watcher": os.getpid()})
    return folder


def parts(folder: Path) -> dict[str, Path]:
    """Return the folders of each watcher of a run, by what their names begin with."""
    if (folder / RECORD).is_file():
        return {"": folder}
    found = sorted(path.parent for path in folder.glob(f"{_TASK}*/{RECORD}"))
    return {f"{path.name}/": path for path in found}


def _forget(shared: Path, task: Given | None) -> None:
    """Take away what an earlier run of more tasks has left: no watcher of this one does."""
    size = task.size if task else None
    for old in shared.glob(f"{_TASK}*") if size else ():
        number = old.name.removeprefix(_TASK)
        if number.isdecimal() and int(number) >= (size or 0):
            shutil.rmtree(old, ignore_errors=True)


def _among_ours(number: int | None) -> Path | None:
    runs = root()
    with contextlib.suppress(OSError):
        runs.mkdir(parents=True, exist_ok=True)
        for old in _by_age(runs)[: -_MOST_RUNS + 1]:
            # Beside others only what says that it has ended: one may run on another host.
            if not _alive(old) and (number is None or read(old).get("ended") is not None):
                shutil.rmtree(old, ignore_errors=True)
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
        folder = runs / (name if number is None else f"{name}-{_TASK}{number}")
        folder.mkdir(mode=0o700)
        return folder
    return None


def _named(folder: Path) -> Path:
    mend = _("name a new folder, or one of an earlier run that has ended")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        old = [path for path in folder.iterdir() if path.name != RECORD]
        if old and not (folder / RECORD).is_file():
            said = _("is not empty, and not of a watched run")
            raise BookError([Problem(str(folder), said, mend)])
        if _alive(folder):
            raise BookError([Problem(str(folder), _("a run is writing there"), mend)])
        for path in old:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
    except OSError as error:
        said = _("cannot be written: {reason}").format(reason=error.strerror)
        raise BookError([Problem(str(folder), said, mend)]) from None
    return folder


def latest() -> Path:
    """Return the folder of the run that was watched last.

    Raises:
        BookError: There is none.
    """
    with contextlib.suppress(OSError):
        if found := _by_age(root()):
            return found[-1]
    mend = _("name its folder, or watch a run first: fixbook watch -- COMMAND")
    raise BookError([Problem(str(root()), _("holds no watched run"), mend)])


def _by_age(runs: Path) -> list[Path]:
    """The name begins with the time."""
    return sorted(path for path in runs.iterdir() if (path / RECORD).is_file())


def _alive(folder: Path) -> bool:
    seen = read(folder)
    pid = seen.get("watcher")
    return seen.get("ended") is None and isinstance(pid, int) and Path(f"/proc/{pid}").exists()


def write(folder: Path | None, seen: Mapping[str, Any]) -> None:
    """Write what is known of a run; a full disk changes nothing for the run."""
    if folder is None:
        return
    with contextlib.suppress(OSError):
        fresh = folder / f"{RECORD}.new"
        fresh.write_text(json.dumps(seen, ensure_ascii=False, indent=1) + "\n", "utf-8")
        fresh.replace(folder / RECORD)


def read(folder: Path) -> dict[str, Any]:
    """Return what is known of a run; empty if nothing can be read."""
    try:
        seen = json.loads((folder / RECORD).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return seen if isinstance(seen, dict) else {}


def logs(folder: Path) -> list[Path]:
    """Return the files that hold what the run printed."""
    return sorted(path for path in folder.glob("*.log*") if path.is_file())
