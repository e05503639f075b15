"""How fast and how short the book answers from an installed wheel: agents by MCP, and the command.

    python -m bench.agents [--times 5]

Builds the wheel and lays it out as an installation does. An agent's client, that of the SDK,
starts the server and asks about twenty logs that steps of the book printed. A token is counted as
four characters. The commands start cold, with a cache that cannot be written. Where the machine is
busy, the time on the clock says little; CPU time is what the work itself took.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import psutil
from mcp import Client, StdioServerParameters

from fixbook.api.logs import Reader
from fixbook.book import load_book
from fixbook.recipe.reading import read_outline
from fixbook.recipe.record import load_evidence

if TYPE_CHECKING:
    from fixbook.book import Book

ROOT = Path(__file__).parents[1]
LOGS = 20
COMMANDS = (["--help"], ["show", "tokenizer-pad-missing"], ["diagnose", "{log}"])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env = _installed(folder)
        logs = _write_logs(folder / "logs", load_book(ROOT))
        anyio.run(_ask, logs, env, times)
        for arguments in COMMANDS:
            told = [one.format(log=logs[0]) for one in arguments]
            before = _cpu()
            took = [_seconds(told, env) * 1000 for _ in range(times)]
            cpu = (_cpu() - before) / times * 1000
            best, middle = min(took), _middle(took)
            print(f"fixbook {arguments[0]}: best {best:.0f} ms, median {middle:.0f}, CPU {cpu:.0f}")


def _installed(folder: Path) -> dict[str, str]:
    """Build the wheel, unpack it, and return the variables with which Python finds it first."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    print(f"wheel: {wheel.stat().st_size / 1e6:.2f} MB")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "installed")
    (folder / "file").touch()
    env = {"PYTHONPATH": str(folder / "installed"), "XDG_CACHE_HOME": str(folder / "file")}
    return {name: one for name, one in os.environ.items() if name != "FIXBOOK_BOOK"} | env


def _write_logs(folder: Path, book: Book) -> list[Path]:
    """Write what the first failing step of every n-th entry printed; return the files."""
    folder.mkdir()
    found: list[Path] = []
    for item in list(book.entries.values())[:: max(1, len(book.entries) // (2 * LOGS))]:
        steps = read_outline(item.recipe).steps.values()
        first = next((step.name for step in steps if step.kind == "reproduce"), "")
        for evidence in list(load_evidence(item).values())[:1]:
            record = evidence.steps.get(first)
            if record and record.log and len(found) < LOGS:
                path = folder / f"{item.slug}.log"
                path.write_text(record.log, "utf-8")
                found.append(path)
    return found


async def _ask(logs: list[Path], env: dict[str, str], times: int) -> None:
    command = ["-m", "fixbook", "mcp", "--root", str(logs[0].parent), "--lang", "en"]
    began = time.perf_counter()
    sizes, took, same = [], [], 0
    server = StdioServerParameters(
        command=sys.executable, args=command, env=env, cwd=logs[0].parent
    )
    reader = Reader(ROOT)
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        connected = time.perf_counter() - began
        (process,) = psutil.Process().children()
        start_cpu = sum(process.cpu_times()[:2])
        listed = len(json.dumps([one.model_dump(exclude_none=True) for one in tools])) / 4
        for path in logs:
            for _ in range(times):
                start = time.perf_counter()
                result = await client.call_tool("diagnose", {"path": path.name})
                took.append((time.perf_counter() - start) * 1000)
            text = "".join(getattr(one, "text", "") for one in result.content)
            sizes.append(len(text) / 4)
            answer = reader.files([str(path)], "en").answer["answer"]
            name = answer and (answer.get("slug") or answer["symptom"])
            same += f"`{name}`" in text.partition("\n")[0] if name else "Not in the book" in text
        cpu = (sum(process.cpu_times()[:2]) - start_cpu) / len(took) * 1000
    said = f"{connected * 1000:.0f} ms, CPU {start_cpu * 1000:.0f}, {listed:.0f} tokens"
    print(f"connected, tools listed: {said}")
    print(f"answers: {same} of {len(logs)} as the command's")
    print(f"  tokens: median {_middle(sizes):.0f}, p95 {_high(sizes):.0f}")
    print(f"  ms: median {_middle(took):.1f}, p95 {_high(took):.1f}, CPU of the server {cpu:.1f}")


def _middle(numbers: list[float]) -> float:
    return statistics.median(numbers)


def _high(numbers: list[float]) -> float:
    return statistics.quantiles(numbers, n=20, method="inclusive")[-1]


def _cpu() -> float:
    """Return the CPU time of processes that have ended: other work on the machine is not in it."""
    times = os.times()
    return times.children_user + times.children_system


def _seconds(arguments: list[str], env: dict[str, str]) -> float:
    began = time.perf_counter()
    command = [sys.executable, "-m", "fixbook", *arguments]
    done = subprocess.run(command, capture_output=True, check=False, env=env, cwd="/")
    if done.returncode:
        sys.exit(done.stderr.decode())
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
