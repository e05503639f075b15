"""Measure how long a check of one file takes from a cold start, imports included.

python -m bench.cold_start [--times 9]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAD = "base_model: a/b\ndatasets:\n  - path: c\nsequence_length: 2048\nmodel_config:\n"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=9)
    times = parser.parse_args().times
    lines = "".join(f"  # line {number}\n  key_{number}: {number}\n" for number in range(140))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.yaml"
        path.write_text(HEAD + lines, "utf-8")
        command = [sys.executable, "-m", "fixbook", "check", "--json", str(path)]
        seconds = [_seconds(command) for _ in range(times)]
    best, middle = min(seconds), statistics.median(seconds)
    print(f"fixbook check, cold: best {best * 1000:.0f} ms, median {middle * 1000:.0f} ms")


def _seconds(command: list[str]) -> float:
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=False, cwd=ROOT)
    if done.returncode != 1:  # the file holds something to find
        sys.exit(done.stderr.decode() or f"ended with {done.returncode}")
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
