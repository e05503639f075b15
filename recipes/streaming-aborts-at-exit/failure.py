"""A script that streams parquet, stops early and is done; then its interpreter ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROWS, GROUP = 60_000, 3_000
OPEN = """from datasets import load_dataset
stream = load_dataset("parquet", data_files="rows.parquet", split="train", streaming=True)
"""
EARLY = "for row in stream:\n    break\n"
WHOLE = "for row in stream:\n    pass\n"
DONE = 'print("done", flush=True)\n'
LOADER = """from torch.utils.data import DataLoader
for batch in DataLoader(stream, batch_size=8%s):
    break
"""


def rows() -> None:
    """Write a file of twenty row groups."""
    texts = [f"{'word ' * 200}{number}" for number in range(ROWS)]
    pq.write_table(pa.table({"text": texts}), "rows.parquet", row_group_size=GROUP)


def start(script: str) -> int:
    """Run a script with an interpreter of its own; return its exit code."""
    Path("stream.py").write_text(script, encoding="utf-8")
    return subprocess.run([sys.executable, "stream.py"], check=False).returncode
