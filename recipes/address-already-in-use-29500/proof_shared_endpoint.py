"""A second launch on the endpoint of the first, where c10d gathers the processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from failure import launch

from fixbook.recipe import detect, run_snippet
from fixbook.recipe.helpers import beside, end, exit_code, free_port, until

PATIENCE_S = 4.0

WAIT = """
import pathlib, time

pathlib.Path("{name}").write_text("started")
while True:
    time.sleep(0.1)
"""


def launched(name: str, port: int, *options: str) -> None:
    """Launch a job that writes a file when it starts, and runs until it is ended."""
    endpoint = f"--rdzv-endpoint=localhost:{port}"
    launch("--rdzv-backend=c10d", endpoint, *options, script=WAIT.format(name=name))


def second_launch(*options: str, same: bool) -> dict[str, Any]:
    """Launch a second job while the first runs; tell whether it starts, and outlives the first."""
    port = free_port()
    with beside(lambda: launched("first", port)) as first:
        until(Path("first").exists)
        other = port if same else free_port()
        taken = run_snippet("who", env={"port": str(other)}).stdout
        with beside(lambda: launched("second", other, *options)) as second:
            started = until(Path("second").exists, PATIENCE_S)
            end(first)
            code = exit_code(second, PATIENCE_S)
    return {"found": bool(taken.strip()), "started": started, "runs_on": code is None}


@detect(found=True)
def second_launch_waits() -> Any:
    """It becomes a reserve of the first job, and says nothing."""
    return second_launch(same=True)


@detect(found=False, control="second-launch-waits")
def second_launch_of_its_own() -> Any:
    """With an endpoint of its own it starts."""
    return second_launch(same=False)


@detect(found=True)
def second_launch_with_an_id() -> Any:
    """Another id lets it start, and it ends with the first job."""
    return second_launch("--rdzv-id=second", same=True)
