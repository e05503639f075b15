"""Tables that scripts have read out of the releases of tools."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parent / "data"


@functools.cache
def read_table(name: str) -> dict[str, Any]:
    """Return a table; empty if there is none.

    Args:
        name: Of its file: the tool, and what the table is of where that is not its keys.
    """
    path = _DATA / f"{name}.json"
    loaded: dict[str, Any] = json.loads(path.read_bytes()) if path.is_file() else {}
    return loaded


def changed_names(package: str) -> dict[str, Any]:
    """Return a package's table, as `fixbook.config.extract.changed_names` writes it, or none.

    Args:
        package: Distribution name.
    """
    return read_table(f"{package}-names")
