"""Material's search box runs our worker; the name of its own changes with every release."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = "assets/javascripts/workers"
OURS = "assets/diagnose/search_worker.js"
_MEND = "look at block 'config' in Material's base.html and at overrides/main.html"


class WorkerError(Exception):
    """Material's search worker is not replaced by ours."""


def worker_name(folders: Iterable[str]) -> str:
    """Return the file name of Material's worker.

    Args:
        folders: Where the theme's files lie.

    Raises:
        WorkerError: There is not exactly one.
    """
    found = {
        path.name for folder in folders for path in Path(folder, FOLDER).glob("search.*.min.js")
    }
    if len(found) != 1:
        raise WorkerError(f"expected one search worker in {FOLDER}, found {sorted(found)}; {_MEND}")
    return found.pop()


def check_worker(site: Path) -> None:
    """See to it that every page of a built language starts our worker.

    Raises:
        WorkerError: A page starts another one, or ours is missing.
    """
    if not (site / OURS).is_file():
        raise WorkerError(f"{OURS} is missing in the built site; {_MEND}")
    for page in sorted(site.rglob("*.html")):
        named = re.search(r'"search":\s*"([^"]*)"', page.read_text("utf-8"))
        if not named or not named[1].endswith(OURS):
            name = page.relative_to(site).as_posix()
            seen = named[1] if named else "none"
            raise WorkerError(f"{name} starts the search worker {seen}, not {OURS}; {_MEND}")
