"""What is left of an actor of Ray whose process has ended."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "ray==2.60.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import ray
from failure import cluster, trainer

from fixbook.recipe import (
    detect,
    fix,
    main,
    measure,
    non_fix,
    reproduce,
    snippet,
    snippet_text,
)

ENV = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
RAY: dict[str, Any] = {"env": ENV, "needs": ["ray"], "timeout_s": 120}
MIB = 2**10  # of what ``ps`` prints
HEADER = (":job_id:", ":actor_name:")


def shell(name: str, **variables: object) -> list[str]:
    """Run a command of the page, and return its lines."""
    command = ["bash", "-c", snippet_text(name)]
    env = {**os.environ, **{key: str(value) for key, value in variables.items()}}
    return subprocess.run(
        command, env=env, stdout=subprocess.PIPE, text=True, check=False
    ).stdout.splitlines()


def memory(pid: int) -> int:
    """Read the memory of the actor in the page's list, in KiB."""
    rows = [line.split() for line in shell("memory")]
    return next(int(row[1]) for row in rows if int(row[0]) == pid)


def last_words(folder: Path, pid: int) -> list[str]:
    """Read the worker's file as the page does."""
    lines = shell("last-words", folder=folder, pid=pid)
    return [line for line in lines if line and not line.startswith(HEADER)]


def run(how: str, *, restarts: int = 0, restore: bool = False, look: bool = False) -> Any:
    """Train three steps with an actor that ends at the third.

    Args:
        how: How it ends.
        restarts: How often Ray may start it again.
        restore: It is the page's actor, which reads what it has saved.
        look: Afterwards, look into its file for the place where it ended.
    """
    with cluster() as folder:
        kind = trainer(how)
        if restore:
            actor = snippet("restore", Trainer=kind, file=Path("steps").resolve())
            actor = actor["Restored"].remote()
        else:
            actor = ray.remote(max_restarts=restarts, max_task_retries=restarts)(kind).remote()
        pid = ray.get(actor.pid.remote())
        before = memory(pid)
        try:
            steps = [ray.get(actor.train.remote()) for _ in range(3)]
        except ray.exceptions.ActorDiedError as error:
            words = last_words(folder, pid)
            line = next((line for line in words if line.endswith(" in train")), "")
            line = re.sub(r'"[^"]*/', '"', line).strip()
            measure(end_of_file="connection error code 2. End of file" in str(error), line=line)
            if look and line:
                return {"found": False, "lines": len(words)}
            raise
        now = ray.get(actor.pid.remote())
        grown = (memory(now) - before) / MIB
        measure(steps=steps, new_process=now != pid)
        if steps != [1, 2, 3]:
            raise RuntimeError(f"the actor has lost steps: {steps}")
    return {"found": grown > 64, "grown": grown}


@reproduce(**RAY)
def crashed() -> Any:
    """A crash in native code."""
    return run("crashed")


@fix("last-words", control="crashed", **RAY)
def crash_on_file() -> Any:
    """Its file has the stack."""
    return run("crashed", look=True)


@reproduce(**RAY)
def killed() -> Any:
    """Nobody says who killed it."""
    return run("killed")


@fix("restore", control="killed", **RAY)
def restarted_and_restored() -> Any:
    """A new process, from what the old one saved."""
    return run("killed", restore=True)


@non_fix("restart", control="killed", **RAY)
def restarted() -> Any:
    """A new process, from nothing."""
    return run("killed", restarts=1)


@reproduce(**RAY)
def left() -> Any:
    """The process ends itself."""
    return run("left")


@reproduce(**RAY)
def raised_in_init() -> Any:
    """Here the message has the traceback."""
    return run("raised")


@detect(found=True, **RAY)
def grows() -> Any:
    """Its memory grows with every step."""
    return run("grows")


@detect(found=False, control="grows", **RAY)
def stays() -> Any:
    """Its memory stays as it was."""
    return run("fine")


if __name__ == "__main__":
    main(__file__)
