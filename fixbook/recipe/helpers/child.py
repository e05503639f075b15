"""Run code in a child process, with a library loaded before all others if need be."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def run_python(
    code: str,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    cwd: Path | str | None = None,
    timeout_s: float = 60.0,
) -> subprocess.CompletedProcess[str]:
    """Run Python code in a fresh interpreter and echo what it prints.

    Args:
        code: The program; ``sys.argv[1:]`` are the arguments.
        *arguments: Its arguments.
        env: Variables beside those of the step.
        cwd: Where it runs; by default where the step runs.
        timeout_s: Wall-clock limit in seconds.

    Returns:
        Its exit code (negative: the signal that ended it) and its output, both streams in one.

    Raises:
        subprocess.TimeoutExpired: It took longer; it has been ended.
    """
    return _run([sys.executable, "-c", code, *arguments], env or {}, cwd, timeout_s)


def with_preload(library: Path | str, env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return variables that load a shared library before all others, for `run_python`.

    A library that is given as C source is compiled first, into the folder of the step.

    Args:
        library: A shared library, or a ``.c`` file.
        env: Variables to add it to; libraries preloaded there stay, behind it.

    Raises:
        RuntimeError: The compiler refused the source; the message is its own.
    """
    path = Path(library).resolve()
    if path.suffix == ".c":
        path = _compiled(path)
    variables = dict(env or {})
    before = variables.get("LD_PRELOAD", os.environ.get("LD_PRELOAD", ""))
    return variables | {"LD_PRELOAD": f"{path} {before}".strip()}


def _compiled(source: Path) -> Path:
    target = Path(tempfile.mkdtemp()) / f"lib{source.stem}.so"
    command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(target), str(source), "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"cc cannot compile {source.name}: {done.stderr.strip()}")
    return target


def _run(
    command: Sequence[str], env: Mapping[str, str], cwd: Path | str | None, timeout_s: float
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command,
        env={**os.environ, **env},
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=timeout_s,
        check=False,
    )
    os.write(1, done.stdout.encode())
    return done
