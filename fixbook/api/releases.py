"""Audit releases: what the installed or pinned ones are known for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.book_root import book_root
from fixbook.index.cache import boundaries
from fixbook.installed.formats import read_inventory
from fixbook.installed.inventory import this_environment
from fixbook.installed.judge import audit as audit_list
from fixbook.installed.output import as_json

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.text import Lang


def audit(*names: str | Path, lang: Lang = "en") -> dict[str, Any]:
    """Name the failures that releases are known for.

    Args:
        *names: Lists of packages and locks; by default what is installed where this runs.
        lang: Language of the texts, ``en`` or ``zh``.

    Returns:
        What ``fixbook audit --json`` prints.

    Raises:
        BookError: A list cannot be read.
    """
    lists = [read_inventory(str(name)) for name in names] or [this_environment()]
    rows = boundaries(book_root())
    return as_json([audit_list(one, rows) for one in lists], lang)
