"""Processes of ``Dataset.map`` that hold what they have made until it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS, PICTURE = 600, b"." * 200_000


def pictures(watch: Callable[[], int]) -> Callable[[Any], dict[str, Any]]:
    """Return what makes a picture of a row, as a processor does."""

    def process(row: Any) -> dict[str, Any]:
        return {"picture": PICTURE + bytes(row["at"] % 9), "taken": watch()}

    return process


def small_rows() -> Any:
    """Return rows that are small as long as they are not processed, from a folder of their own."""
    from datasets import Dataset, disable_progress_bars, load_from_disk

    disable_progress_bars()
    Dataset.from_dict({"at": list(range(ROWS))}).save_to_disk("rows")
    return load_from_disk("rows")  # else map would keep in memory what it has made


def weigh(dataset: Any) -> dict[str, Any]:
    """Return how many rows there are, and the most that a process took for itself."""
    return {"rows": len(dataset), "taken": max(dataset["taken"])}
