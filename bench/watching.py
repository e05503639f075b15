"""What ``fixbook watch`` costs: the same commands with and without it, in pairs, in turn.

Usage: python -m bench.watching [--pairs 7] [--minute]

With --minute, what it costs while a command prints a megabyte a minute: the difference between a
long run and a short one, so that starting does not count. The pages on watching take it from there.

CPU seconds are those of all processes, the relay included: this process adopts and waits for them.
The medians of the differences are printed; on a busy machine wall time says little.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
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
_MEGABYTE = """
import sys, time
end, at = time.monotonic() + float(sys.argv[1]), 0
while time.monotonic() < end:
    print("step", at, "loss: 2.1 grad_norm: 0.7 lr: 1e-4", "x" * 120, flush=True)
    at += 1
    time.sleep(0.008)
"""
SHORT_S, LONG_S = 5, 65
DOCS = Path(__file__).parents[1] / "docs"
_SAYS = {
    "en": (
        "Measured: ",
        (
            "Measured: {share:.2f} percent of one core more, where a command prints {rate:.1f} MB "
            "a minute; median of {pairs} pairs, from {least:.2f} to {most:.2f}, beside other work. "
            "Starting takes {start:.2f} CPU seconds."
        ),
    ),
    "zh": (
        "实测：",
        (
            "实测：命令每分钟输出 {rate:.1f} MB 时，多占一个核的 {share:.2f}%；{pairs} 对的中位数，"
            "范围 {least:.2f}% 到 {most:.2f}%，同时有别的程序在运行。启动耗用 {start:.2f} CPU 秒。"
        ),
    ),
}
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


def minute(watch: list[str], pairs: int, printed: Path) -> dict[str, float]:
    """Return what watching costs a command that prints about a megabyte a minute.

    Args:
        watch: The command that watches.
        pairs: How many pairs of runs.
        printed: Where what the last one printed is kept.
    """
    shares, starts = [], []
    for _ in range(pairs):
        more = []
        for seconds in (SHORT_S, LONG_S):
            command = [sys.executable, "-c", _MEGABYTE, str(seconds)]
            plain, seen = measure(command), measure([*watch, *command])
            more.append(seen[1] - plain[1])
        starts.append(more[0])
        shares.append(100 * (more[1] - more[0]) / (LONG_S - SHORT_S))
        print(f"{shares[-1]:+.2f} percent of a core", flush=True)
    return {
        "share": statistics.median(shares),
        "least": min(shares),
        "most": max(shares),
        "start": statistics.median(starts),
        "pairs": pairs,
        "rate": printed.stat().st_size / 1e6 * 60 / LONG_S,
    }


def write_cost(found: dict[str, float], docs: Path) -> None:
    """Write it into the page of each language, in place of what was measured before."""
    for lang, (begin, says) in _SAYS.items():
        path = docs / lang / "watch.md"
        lines = path.read_text("utf-8").split("\n")
        (at,) = (at for at, line in enumerate(lines) if line.startswith(begin))
        lines[at] = says.format(**found)
        path.write_text("\n".join(lines), "utf-8")


def main() -> None:
    """Measure, and print a line for each command."""
    parser = argparse.ArgumentParser(description="What fixbook watch costs.")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--minute", action="store_true")
    given = parser.parse_args()
    pairs: int = given.pairs
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as place:
        watch = [sys.executable, "-m", "fixbook", "watch", "-q", "--folder", f"{place}/run", "--"]
        if given.minute:
            found = minute(watch, pairs, Path(place, "run/output.log"))
            (DOCS / "watch.json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")
            write_cost(found, DOCS)
            return
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
