"""Compile to machine code what inductor and Triton write for a training step with FlexAttention.

    python -m bench.triton_kernels           for GPUs of several generations, without one
    python -m bench.triton_kernels 120       for one of them

The recipe's own simulated GPU stops at the shared memory that a kernel needs; here LLVM and the
assembler that Triton brings go on to the end. Ends with 1 where one of them refuses.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.kernels import ARCHITECTURES

ROOT = Path(__file__).parents[1]
RECIPE = ROOT / "recipes/flex-attention-shared-memory"
_CHILD = "from bench.triton_kernels import compile_here"
_HEAD_DIM = 64  # fits every one of them
_FLAGS = slice(48, 52)  # of a file of machine code; they name what it is for
_LONGEST = 300


def compiled(capability: int) -> list[dict[str, Any]]:
    """Return the kernels of a training step: name, bytes of machine code, compute capability.

    Args:
        capability: Compute capability times ten, such as 90.

    Raises:
        RuntimeError: One of them is refused; with the last lines of what was said.
    """
    path = os.pathsep.join([str(RECIPE), str(ROOT)])
    with tempfile.TemporaryDirectory(prefix="triton-") as folder:
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                f"from bench.triton_kernels import compile_here; compile_here({capability})",
            ],
            env=os.environ | {"PYTHONPATH": path},
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(" ".join(done.stderr.split())[-_LONGEST:])
    found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


def compile_here(capability: int) -> None:
    """Compile them in this process, which nothing else has used, and print them."""
    import proof_gpu  # type: ignore[import-not-found]  # noqa: PLC0415  (of the recipe, before torch)

    vars(proof_gpu)["_stop_at_shared_memory"] = lambda: None
    proof_gpu.SimulatedGpu(capability)
    import failure  # type: ignore[import-not-found]  # noqa: PLC0415  (behind the GPU)
    import triton  # type: ignore[import-untyped]  # noqa: PLC0415  (behind the GPU)

    found = []

    def load(name: str, code: bytes, *_: Any) -> tuple[int, ...]:
        built_for = capability if capability in code[_FLAGS] else 0
        found.append({"name": name, "bytes": len(code), "capability": built_for})
        return 1, 1, 32, 0, 1024  # module, function, registers, spills, threads of a block

    triton.runtime.driver.active.utils.load_binary = load
    with proof_gpu.without_memory():
        failure.train(head_dim=_HEAD_DIM)
    print(json.dumps(found))


def main() -> int:
    """Print a table."""
    asked = sys.argv[1:] or [name.partition("_")[2] for name in ARCHITECTURES]
    print("| architecture | kernels | bytes | s | refused |\n|---|---:|---:|---:|---|")
    refused = 0
    for capability in map(int, asked):
        began, said, found = time.monotonic(), "", []
        try:
            found = compiled(capability)
        except RuntimeError as error:
            said, refused = str(error), 1
        size, took = sum(one["bytes"] for one in found), time.monotonic() - began
        print(f"| sm_{capability} | {len(found)} | {size} | {took:.1f} | {said} |", flush=True)
    return refused


if __name__ == "__main__":
    sys.exit(main())
