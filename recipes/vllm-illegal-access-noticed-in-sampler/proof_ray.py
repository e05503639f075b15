"""A Ray cluster that runs before the job connects to it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import yaml
from failure import DEBUGGING, train

from fixbook.recipe import measure, snippet, snippet_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SET = dict.fromkeys(DEBUGGING, "1")


@contextlib.contextmanager
def cluster(variables: Mapping[str, str]) -> Iterator[str]:
    """Start `ray start --head` with these variables; yield its address and end its processes."""
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))  # its sockets need a short path
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"]
    command += ["--port=0", f"--temp-dir={folder}", "--node-ip-address=127.0.0.1", "--num-cpus=1"]
    command += ["--num-gpus=0", "--object-store-memory=80000000", "--disable-usage-stats"]
    command += ["--include-dashboard=false", "--include-log-monitor=false"]
    with (folder / "output").open("w") as out:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **variables}
        head = psutil.Popen(command, env=env, stdout=out, stderr=out)
    address, deadline = folder / "ray_current_cluster", time.monotonic() + 120
    try:
        while not (address.exists() and address.read_text()):
            if head.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((folder / "output").read_text())
            time.sleep(0.1)
        yield address.read_text()
    finally:
        tree = [head, *head.children(recursive=True)]
        head.terminate()
        for process in psutil.wait_procs(tree, timeout=10)[1]:
            process.kill()
        shutil.rmtree(folder, ignore_errors=True)


def job(
    *, exported: bool = False, started_with: bool = False, submitted_with: str = ""
) -> dict[str, Any]:
    """Run the job on a cluster, then what the page offers for asking a worker.

    Args:
        exported: Whether the shell of the job has exported the variables.
        started_with: Whether that of `ray start` had.
        submitted_with: Snippet with the job's runtime environment, as `ray job submit` hands it on.
    """
    with cluster(SET if started_with else {}) as os.environ["RAY_ADDRESS"]:
        os.environ.update(SET if exported else {})
        if submitted_with:
            submitted = {"runtime_env": yaml.safe_load(snippet_text(submitted_with))}
            os.environ["RAY_JOB_CONFIG_JSON_ENV_VAR"] = json.dumps(submitted)
        measure(**train())
        asked = snippet("ask-a-worker")
        asked["ray"].shutdown()
        return {"found": asked["answer"] is None}
