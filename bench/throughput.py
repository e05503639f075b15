"""Measure how fast logs are read, beside ripgrep with the same patterns, and in how much memory.

    python -m bench.throughput [--megabytes 1000] [--stream-megabytes 10000] [--signatures 500]

The log is the corpus of healthy logs, repeated, with one failure at its end. The book is measured
as it is, and filled up to a number of signatures: with its own literals in other letters.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import shutil
import string
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, Any

from bench.healthy_logs import healthy_logs
from fixbook.book_root import BOOK_VARIABLE, book_root
from fixbook.index.cache import INDEX, index_rows

FAILURE = (
    b"[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 9.47 GiB. GPU 3 has a"
    b" total capacity of 79.10 GiB of which 3.78 GiB is free.\n"
)
DIAGNOSE = [sys.executable, "-m", "fixbook", "diagnose"]


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command went: seconds, its largest resident size in bytes, exit code, its output."""

    seconds: float
    peak: int
    code: int
    said: str


def run(
    command: list[str], feed: tuple[bytes, int] | None = None, limit_s: float = 900
) -> Ran | None:
    """Run a command and measure it; None if it took longer than the limit.

    Args:
        command: The command.
        feed: What to write to its standard input, and how often.
        limit_s: Seconds after which it is ended.
    """
    with tempfile.TemporaryFile() as out:
        began = time.perf_counter()
        stdin = subprocess.PIPE if feed else subprocess.DEVNULL
        process = subprocess.Popen(command, stdin=stdin, stdout=out, stderr=out)
        writer = Thread(target=_write, args=(process.stdin, feed)) if feed else None
        if writer:
            writer.start()
        ended, status, peak = 0, 0, 0
        while not ended and time.perf_counter() - began < limit_s:
            peak = max(peak, _high_water(process.pid))
            ended, status = os.waitpid(process.pid, os.WNOHANG)
            time.sleep(0 if ended else 0.002)
        seconds = time.perf_counter() - began
        if not ended:
            process.kill()
            os.waitpid(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)  # reaped above
        if writer:
            writer.join()
        if not ended:
            return None
        out.seek(0)
        return Ran(seconds, peak, process.returncode, out.read().decode("utf-8", "replace"))


def _high_water(pid: int) -> int:
    """Return the largest resident size so far; rusage would include that of this process."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii", "replace")
    except OSError:
        return 0
    match = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(match[1]) * 1024 if match else 0


def _write(stream: IO[bytes] | None, feed: tuple[bytes, int] | None) -> None:
    if stream is None or feed is None:
        return
    part, times = feed
    try:
        for _ in range(times):
            stream.write(part)
        stream.write(FAILURE)
        stream.close()
    except OSError:
        return


def filled_up(rows: dict[str, Any], count: int) -> dict[str, Any]:
    """Return an index with so many signatures: its own, then theirs in other letters."""
    own = rows["matchers"]
    turned = (_in_other_letters(row, by) for by in range(1, 26) for row in own)
    return rows | {"matchers": [*own, *itertools.islice(turned, max(0, count - len(own)))]}


def _in_other_letters(row: dict[str, Any], by: int) -> dict[str, Any]:
    letters = string.ascii_lowercase
    table = str.maketrans(letters, letters[by:] + letters[:by])
    literals = [literal.translate(table) for literal in row["literals"]]
    # ripgrep takes no escape that it does not need, as that of a blank.
    words = (re.sub(r"[][(){}.^$*+?|\\]", r"\\\g<0>", literal) for literal in literals)
    bare: dict[str, list[str]] = {"context": [], "unless": [], "same": [], "differ": []}
    return row | bare | {"pattern": f"(?:{'|'.join(words)}) ?\\d+", "literals": literals}


def write_book(folder: Path, rows: dict[str, Any]) -> None:
    """Write a book that has this index and everything else of the real one."""
    folder.mkdir()
    for path in book_root().iterdir():
        (folder / path.name).symlink_to(path)
    (folder / INDEX).write_text(json.dumps(rows), "utf-8")


def patterns(rows: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return all patterns that ripgrep takes, and the literals of which each match holds one."""
    every = {row["pattern"] for row in rows["matchers"]} | set(rows["surroundings"])
    found = {pattern for pattern in every if pattern.isascii()}  # the others need Unicode there
    literals = {literal for row in rows["matchers"] for literal in row["literals"]}
    literals |= {literal for found in rows["surroundings"].values() for literal in found}
    # One regular expression may not name two groups alike, and ripgrep makes one of all of them.
    return sorted(re.sub(r"\(\?P<\w+>", "(?:", pattern) for pattern in found), sorted(literals)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--stream-megabytes", type=int, default=10_000)
    parser.add_argument("--signatures", type=int, default=500)
    parser.add_argument("--rg-limit", type=float, default=300, help="seconds for ripgrep")
    options = parser.parse_args()
    part = "".join(text for _, text in healthy_logs()).encode()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "big.log"
        with log.open("wb") as file:
            for _ in range(options.megabytes * 1_000_000 // len(part) + 1):
                file.write(part)
            file.write(FAILURE)
        print(f"log: {log.stat().st_size / 1e6:.0f} MB, warm")
        rows = index_rows(book_root())
        for count in sorted({len(rows["matchers"]), options.signatures}):
            _compare(log, Path(folder, str(count)), filled_up(rows, count), options.rg_limit)
        small = Path(folder) / "small.log"
        small.write_bytes(FAILURE)
        starts = [ran.seconds for _ in range(7) if (ran := run([*DIAGNOSE, str(small)]))]
        print(f"cold start: best {min(starts) * 1000:.0f} ms of {len(starts)}")
        _show_torch(small)
    times = options.stream_megabytes * 1_000_000 // len(part) + 1
    streamed = run([*DIAGNOSE, "-"], (part, times))
    if streamed:
        size = times * len(part) / 1e6
        rate = size / streamed.seconds
        print(f"stream: {size:.0f} MB, {rate:.0f} MB/s, peak {streamed.peak / 1e6:.0f} MB")
        print("  " + streamed.said.splitlines()[0])


def _compare(log: Path, folder: Path, rows: dict[str, Any], limit_s: float) -> None:
    write_book(folder, rows)
    print(f"{len(rows['matchers'])} signatures")
    size = log.stat().st_size / 1e6
    run(["cat", str(log)])  # warm
    ours = run(["env", f"{BOOK_VARIABLE}={folder}", *DIAGNOSE, str(log)])
    if ours is None:
        sys.exit("diagnose took too long")
    speed = size / ours.seconds
    print(
        f"fixbook diagnose: {ours.seconds:.1f} s, {speed:.0f} MB/s, peak {ours.peak / 1e6:.0f} MB"
    )
    rg = shutil.which("rg")
    if rg is None:
        print("rg is not installed; nothing to compare with")
        return
    expressions, literals = patterns(rows)
    # Classes like \d are those of ASCII in our patterns; as Unicode they cost ripgrep minutes.
    same = ("same patterns", ["--no-unicode"], expressions)
    for name, flags, lines in (same, ("literals", ["-F"], literals)):
        file = folder / "patterns.txt"
        file.write_text("\n".join(lines) + "\n", "utf-8")
        theirs = run([rg, "-c", "-a", *flags, "-f", str(file), str(log)], limit_s=limit_s)
        if theirs is None:
            print(f"rg -f, {name}: not done after {limit_s:.0f} s ({limit_s / ours.seconds:.0f} x)")
        elif theirs.code > 1:
            sys.exit(f"rg -f, {name}: {theirs.said}")
        else:
            ratio = theirs.seconds / ours.seconds
            print(f"rg -f, {name}: {theirs.seconds:.1f} s, {ratio:.2f} x as long as fixbook")


def _show_torch(small: Path) -> None:
    ran = run([sys.executable, "-X", "importtime", "-m", "fixbook", "diagnose", str(small)])
    if ran and re.search(r"\|\s+torch$", ran.said, re.MULTILINE):
        print("torch was imported")


if __name__ == "__main__":
    main()
