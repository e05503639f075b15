"""A second launch on the endpoint of the first, where c10d gathers the processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torch.distributed import run

from fixbook.recipe import run_snippet
from fixbook.recipe.helpers import beside, end, exit_code, free_port, until

PATIENCE_S = 4.0

WAIT = """
import pathlib, time

pathlib.Path("{name}").write_text("started")
while True:
    time.sleep(0.1)
"""


def _launched(name: str, port: int) -> None:
    """Launch a job that writes a file when it starts, and runs until it is ended."""
    file = Path(f"{name}.py")
    file.write_text(WAIT.format(name=name), "utf-8")
    endpoint = ["--rdzv-backend=c10d", f"--rdzv-endpoint=localhost:{port}"]
    run.main(["--nproc-per-node=1", *endpoint, str(file)])


def second_launch(*, same: bool) -> dict[str, Any]:
    """Launch a second job while the first runs; tell whether it starts, and outlives the first."""
    port = free_port()
    with beside(lambda: _launched("first", port)) as first:
        until(Path("first").exists)
        other = port if same else free_port()
        taken = run_snippet("who", env={"port": str(other)}).stdout
        with beside(lambda: _launched("second", other)) as second:
            started = until(Path("second").exists, PATIENCE_S)
            end(first)
            code = exit_code(second, PATIENCE_S)
    return {"found": bool(taken.strip()), "started": started, "runs_on": code is None}
