"""A data set with a column of lists, written by one release of datasets and read by another."""

import sys
from typing import Any

from datasets import Dataset, load_dataset, load_from_disk


def write() -> None:
    """Save a tokenized data set both ways."""
    data = Dataset.from_dict({"input_ids": [[1, 2], [3]], "text": ["a", "b"]})
    data.to_parquet("data.parquet")
    data.save_to_disk("saved")


def read_parquet() -> dict[str, Any]:
    """Load the Parquet file; return its first sample."""
    return dict(load_dataset("parquet", data_files="data.parquet", split="train")[0])


def read_saved(folder: str = "saved") -> dict[str, Any]:
    """Load what was saved to the disk; return its first sample."""
    return dict(load_from_disk(folder)[0])


def write_json() -> None:
    """Save a column of JSON."""
    from datasets import Features, Json

    data = Dataset.from_dict({"row": [{"a": 1}]}, features=Features({"row": Json()}))
    data.to_parquet("data.parquet")


if __name__ == "__main__":
    (write_json if "json" in sys.argv else write)()
