"""What ``fixbook watch`` costs: the same commands with and without it, in pairs, in turn.

Usage: python -m bench.watching [--pairs 7]

CPU seconds are those of all processes, the relay included: this process adopts and waits for them.
The medians of the differences are printed; on a busy machine wall time says little.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_SUBREAPER = 36
_QUIET = "import time\nfor at in range(20): sum(range(4_000_000)); print('step', at, flush=True)"
_MINUTE = "import time\nfor at in range(200): print('x' * 99); time.sleep(0.05)"
COMMANDS = {
    "start alone": ["true"],
    "busy, 20 lines": [sys.executable, "-c", _QUIET],
    "idle, 120 kB a minute": [sys.executable, "-c", _MINUTE],
    "500 MB": ["head", "-c", "500000000", "/dev/zero"],
}


def measure(command: list[str]) -> tuple[float, float]:
    """Return wall and CPU seconds of a command, with all that it leaves to us."""
    before, begun = os.times(), time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    wall = time.monotonic() - begun
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    after = os.times()
    used = after.children_user + after.children_system
    return wall, used - before.children_user - before.children_system


def main() -> None:
    """Measure, and print a line for each command."""
    parser = argparse.ArgumentParser(description="What fixbook watch costs.")
    parser.add_argument("--pairs", type=int, default=7)
    pairs = parser.parse_args().pairs
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as place:
        watch = [sys.executable, "-m", "fixbook", "watch", "-q", "--folder", f"{place}/run", "--"]
        for name, command in COMMANDS.items():
            plain: list[tuple[float, float]] = []
            seen: list[tuple[float, float]] = []
            for at in range(pairs):
                for watched in (False, True) if at % 2 else (True, False):
                    done = measure([*watch, *command] if watched else command)
                    (seen if watched else plain).append(done)
            wall, cpu = (
                statistics.median(b[at] - a[at] for a, b in zip(plain, seen, strict=True))
                for at in (0, 1)
            )
            base = statistics.median(one[1] for one in plain)
            print(f"{name:24} CPU {base:6.2f} s plain, {cpu:+.3f} s; wall {wall:+.3f} s")
        print(f"kept of the last: {sum(one.stat().st_size for one in Path(place).glob('run/*'))} B")


if __name__ == "__main__":
    main()
