"""Kill a worker or a node amid `fixbook verify --ray`: is a step ever run or counted twice?"""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

import psutil

from fixbook.recipe.record import load_evidence, seal_holds
from tests.conftest import ENTRY, RECIPE, write_entry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STEPS = 5
_LONG_S = 300.0
_MARKED = """
    import os, pathlib, time
    folder = pathlib.Path({folder!r})
    with (folder / "runs").open("a") as file:
        file.write(f"{{os.getpid()}}\\n")
    time.sleep(1)
"""


class Nodes(Protocol):
    """A cluster that can lose a node."""

    address: str

    def workers(self) -> list[psutil.Process]:
        """Return the processes that read logs."""
        ...

    def lose(self) -> None:
        """Lose a node."""
        ...

    def mend(self) -> None:
        """Put another one in its place."""
        ...


def steps_disturbed(nodes: Nodes, place: Path, moments: int) -> Iterator[dict[str, Any]]:
    """Run the steps of one entry again and again; kill something when so many have begun."""
    place.mkdir()
    for killed in ("worker", "node"):
        for at in range(moments):
            yield _once(nodes, place / f"{killed}-{at}", killed, at)
            nodes.mend()


def _once(nodes: Nodes, root: Path, killed: str, at: int) -> dict[str, Any]:
    root.mkdir()
    marked = _MARKED.format(folder=str(root))
    recipe = RECIPE.replace("    measure(shaken", f"{marked}    measure(shaken")
    recipe = recipe.replace('    return {"found": not', f'{marked}    return {{"found": not')
    folder = write_entry(root, copy.deepcopy(ENTRY), recipe, "widget-overflow")
    (root / "slugs.txt").write_text("widget-overflow\n", "utf-8")
    env = {**os.environ, "FIXBOOK_BOOK": str(root), "LANG": "C.UTF-8"}
    words = ["verify", "--record", "--json", "--ray", nodes.address]
    began = time.monotonic()
    command = [sys.executable, "-m", "fixbook", *words]
    pipe = subprocess.PIPE
    run = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=env)
    begun = min(at * STEPS // 10, STEPS - 1)  # moments within a step differ by parts of a second
    while run.poll() is None and len(_runs(root)) <= begun:
        time.sleep(0.02)
    time.sleep(at % 2 * 0.5)
    _kill(nodes, root, killed)
    output, said = run.communicate(timeout=_LONG_S)
    try:
        told = [(one["step"], one["verdict"]) for one in json.loads(output)["steps"]]
    except (ValueError, KeyError):
        return {"killed": f"{killed} of a step", "moment": at, "equal": False, "code": -1} | {
            "said": (output + said)[-1500:]
        }
    counts = Counter(step for step, _verdict in told)
    records = load_evidence_of(folder)
    passed = sum(verdict == "passed" for _step, verdict in told)
    once = len(counts) == STEPS and set(counts.values()) == {1} and len(_runs(root)) <= STEPS
    return {
        "killed": f"{killed} of a step",
        "moment": at,
        "equal": once and records,
        "code": run.returncode,
        "seconds": round(time.monotonic() - began, 1),
        "passed": passed,
        "skipped": sum(verdict == "skipped" for _step, verdict in told),
        "began": len(_runs(root)),
        "said": "" if once and records else (output + said)[-1500:],
    }


def load_evidence_of(folder: Path) -> bool:
    """Tell whether the records of an entry hold."""
    from fixbook.book import load_book  # noqa: PLC0415  (of this root, not of the book)

    entry = load_book(folder.parents[1], strict=False).get(folder.name)
    return all(
        seal_holds(evidence, name)
        for evidence in load_evidence(entry).values()
        for name, step in evidence.steps.items()
        if step.verdict == "passed"
    )


def _runs(root: Path) -> list[str]:
    path = root / "runs"
    return path.read_text("utf-8").split() if path.exists() else []


def _kill(nodes: Nodes, root: Path, killed: str) -> None:
    if killed == "node":
        nodes.lose()
        return
    for pid in reversed(_runs(root)):
        try:
            above = psutil.Process(int(pid)).parents()
        except psutil.NoSuchProcess:
            continue
        for one in above:
            if one.name().startswith("ray::"):
                one.kill()
                return
