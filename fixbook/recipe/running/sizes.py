"""How much is downloaded for pinned releases; ``scripts/update-sizes`` has asked the index."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SIZES_FILE = "sizes.json"


def sizes(root: Path) -> dict[str, int]:
    """Return the bytes of each pinned release, by requirement; one that is new is not there yet.

    Args:
        root: The book.
    """
    try:
        found: dict[str, int] = json.loads((root / SIZES_FILE).read_bytes())
    except FileNotFoundError:
        return {}
    return found
