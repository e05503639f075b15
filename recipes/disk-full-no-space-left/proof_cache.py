"""A dataset is prepared into a cache, on the full disk or elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import datasets  # type: ignore[import-untyped]
from failure import disk

from fixbook.recipe import fix, reproduce

if TYPE_CHECKING:
    from collections.abc import Iterator


def rows() -> Iterator[dict[str, str]]:
    """Give 2 MB of text."""
    for number in range(1000):
        yield {"text": f"{number:<2000}"}


def prepare(*, elsewhere: bool) -> dict[str, Any]:
    """Prepare the dataset, its cache on a disk of 1 MB or elsewhere, and count its rows."""
    full = disk(1_000_000)
    cache = Path("cache") if elsewhere else full
    dataset: Any = datasets.Dataset.from_generator(rows, cache_dir=str(cache))
    return {"rows": len(dataset)}


@reproduce()
def cache_on_the_full_disk() -> dict[str, Any]:
    """The last error does not say it, the one before does."""
    return prepare(elsewhere=False)


@fix("cache", control="cache-on-the-full-disk")
def cache_elsewhere() -> dict[str, Any]:
    """The same rows on another disk."""
    return prepare(elsewhere=True)
