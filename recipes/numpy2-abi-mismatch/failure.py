"""What a data pipeline does first: import packages that were compiled against a NumPy."""

from __future__ import annotations

import importlib
from typing import Any


def use(*packages: str) -> dict[str, Any]:
    """Import packages and let each hand an array to NumPy."""
    sums: dict[str, Any] = {}
    for name in packages:
        package = importlib.import_module(name)
        if name == "cv2":
            sums[name] = int(package.add(1.0, 2.0)[0][0])
            continue
        table = package.DataFrame({"a": [1, 2]})["a"] if name == "pandas" else package.array([1, 2])
        rows = table.to_numpy()
        sums[name] = int(rows.sum())
    return sums


def draw() -> dict[str, Any]:
    """Draw a random number; NumPy 2 imports this part of it when it is first used."""
    numpy = importlib.import_module("numpy")
    return {"drawn": int(numpy.random.default_rng(0).integers(1, 2))}
