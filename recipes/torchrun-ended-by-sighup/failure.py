"""A training that writes a line for each step; torchrun starts it in a terminal."""

from __future__ import annotations

import os
import time
from pathlib import Path

STEPS = 600


def train() -> None:
    """Go on for a while; the first process counts its steps in a file."""
    first = os.environ.get("LOCAL_RANK", "0") == "0"
    if first:
        launched = "LOCAL_RANK" in os.environ  # by torchrun, which is the parent
        Path("pid.txt").write_text(str(os.getppid() if launched else os.getpid()))
    for step in range(STEPS):
        if first:
            Path("steps.txt").write_text(f"{step}\n")
        time.sleep(0.1)


if __name__ == "__main__":
    train()
