"""Commands of Bash that call `vllm`, with a stand-in for it that spawns an engine as vLLM does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

# As vLLM does, `serve` runs its engine in a process of its own.
VLLM = f"""#!{sys.executable}
import multiprocessing, os, sys
def engine():
    print("engine has", *sorted(name for name in os.environ if name.startswith("CUDA_")))
if __name__ == "__main__":
    process = multiprocessing.get_context("spawn").Process(target=engine)
    process.start(), process.join()
    print("options", *sys.argv[1:])
"""


def serve(command: str) -> dict[str, Any]:
    """Run a command of Bash with the stand-in for `vllm`, and read what its engine has."""
    Path("vllm").write_text(VLLM, "utf-8")
    Path("vllm").chmod(0o755)
    path = f"{Path.cwd()}:{os.environ['PATH']}"
    outside = {name: value for name, value in os.environ.items() if not name.startswith("CUDA_")}
    done = subprocess.run(
        ["bash", "-euc", command],
        env={**outside, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    sys.stdout.write(done.stdout)
    runs = [len(line.split()) - 2 for line in done.stdout.splitlines() if "engine" in line]
    return {"found": not runs[0], "runs": runs, "eager": "--enforce-eager" in done.stdout}
