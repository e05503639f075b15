"""What a data pipeline imports first: compiled packages that were built against a NumPy."""

from __future__ import annotations

import importlib
from typing import Any


def use(*packages: str) -> dict[str, Any]:
    """Import packages and let each hand an array to NumPy."""
    sums: dict[str, Any] = {}
    for name in packages:
        package = importlib.import_module(name)
        table = package.DataFrame({"a": [1, 2]})["a"] if name == "pandas" else package.array([1, 2])
        rows = table.to_numpy()
        sums[name] = int(rows.sum())
    return sums
