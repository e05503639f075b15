"""What fills the cache of Hugging Face: a dataset that is prepared, a model that is downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def rows() -> Iterator[dict[str, str]]:
    """Give 2 MB of text."""
    for number in range(1000):
        yield {"text": f"{number:<2000}"}


def prepare() -> None:
    """Prepare the dataset, and say how many rows it has."""
    import datasets  # type: ignore[import-untyped]

    print(f"counted={len(datasets.Dataset.from_generator(rows))}")


def download() -> None:
    """Download a model of 2 MB, and say how large it is."""
    from huggingface_hub import hf_hub_download

    print(f"counted={Path(hf_hub_download('team/model', 'model.bin')).stat().st_size}")
