"""Build the site again when what it is made of changes, and tell the browsers that show it."""

from __future__ import annotations

import contextlib
import queue
import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from generator import PROJECT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SETTLED_S = 0.2  # editors write a file in several steps


class Changes:
    """Builds since the site is served, for those who wait for the next one."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._count = 0
        self._error = ""

    @property
    def count(self) -> int:
        """How many builds have ended."""
        return self._count

    def tell(self, error: str = "") -> None:
        """Say that a build has ended.

        Args:
            error: Why it failed; empty if it did not.
        """
        with self._news:
            self._count += 1
            self._error = error
            self._news.notify_all()

    def after(self, count: int, timeout_s: float) -> tuple[int, str]:
        """Wait until more builds have ended, or the time is over.

        Args:
            count: Builds that the caller knows of.
            timeout_s: How long to wait, in seconds.

        Returns:
            The number of builds, and why the last one failed.
        """
        with self._news:
            self._news.wait_for(lambda: self._count > count, timeout_s)
            return self._count, self._error


class _Handler(FileSystemEventHandler):
    """Puts down files that were written, moved or removed; reading them is no change."""

    def __init__(self, changed: queue.SimpleQueue[Path | None]) -> None:
        self._changed = changed

    def _note(self, event: FileSystemEvent) -> None:
        path = Path(str(event.dest_path or event.src_path))
        editors_own = path.name.startswith(".") or path.name.endswith("~")
        if not (event.is_directory or editors_own or "__pycache__" in path.parts):
            self._changed.put(path.resolve())

    on_created = on_modified = on_deleted = on_moved = _note


def watched(root: Path) -> list[Path]:
    """Return the folders that pages are made of.

    Args:
        root: Where the book lies.
    """
    folders = [root / "recipes", root / "symptoms", PROJECT / "docs", PROJECT / "overrides"]
    return [folder for folder in folders if folder.is_dir()]


def watch(root: Path, rebuild: Callable[[set[Path]], None]) -> Callable[[], None]:
    """Call a function in a thread of its own whenever something has changed and settled.

    Args:
        root: Where the book lies.
        rebuild: What to call, with the files that have changed.

    Returns:
        A function that ends the watch.
    """
    changed: queue.SimpleQueue[Path | None] = queue.SimpleQueue()  # None ends it
    observer = Observer()
    for folder in watched(root):
        observer.schedule(_Handler(changed), str(folder), recursive=True)

    def work() -> None:
        while first := changed.get():
            paths = {first, *_settled(changed)}
            if None in paths:
                return
            rebuild({path for path in paths if path})

    observer.start()
    thread = threading.Thread(target=work, daemon=True)
    thread.start()

    def end() -> None:
        changed.put(None)
        observer.stop()
        observer.join()
        thread.join()

    return end


def _settled(changed: queue.SimpleQueue[Path | None]) -> Iterator[Path | None]:
    """Yield what is put into a queue until nothing has been for a while, or the end is."""
    with contextlib.suppress(queue.Empty):
        while True:
            path = changed.get(timeout=_SETTLED_S)
            yield path
            if path is None:
                return


def replace_folder(new: Path, old: Path) -> None:
    """Put a folder in the place of another, so that readers never see half of it."""
    away = old.with_name(f".{old.name}-old")
    shutil.rmtree(away, ignore_errors=True)
    if old.exists():
        old.rename(away)
    new.rename(old)
    shutil.rmtree(away, ignore_errors=True)
