"""Material's search box runs our worker; the name of its own changes with every release."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

OURS = "assets/diagnose/search_worker.js"
_CONFIG = re.compile(r'<script id="__config" type="application/json">[^<]*"search": "([^"]*)"')
_THEIRS = re.compile(r"assets/javascripts/workers/search\.[0-9a-f]+\.min\.js$")
_MEND = "look at the script __config in Material's base.html and at generator/site/search_worker.py"


class WorkerError(Exception):
    """Material's search worker is not replaced by ours."""


def with_worker(page: str, name: str) -> str:
    """Return a page that starts our worker instead of Material's.

    Args:
        page: The page, as HTML.
        name: Its name, for the message.

    Raises:
        WorkerError: It does not say where Material says it, or starts another one.
    """
    found = _CONFIG.search(page)
    ours, count = _THEIRS.subn(OURS, found[1]) if found else ("", 0)
    if not found or count != 1:
        seen = found[1] if found else "none"
        raise WorkerError(f"{name} starts the search worker {seen}, not Material's; {_MEND}")
    return page[: found.start(1)] + ours + page[found.end(1) :]


def check_worker(site: Path) -> None:
    """See to it that a built language has our worker.

    Raises:
        WorkerError: It is missing.
    """
    if not (site / OURS).is_file():
        raise WorkerError(f"{OURS} is missing in the built site; {_MEND}")
