"""Run ``torchrun`` with ranks that are forked instead of started anew.

The agent, its rendezvous, the ranks' environment and its table of failures are torchrun's own; only
the moment at which it would start a rank's interpreter is replaced.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.recipe.process.fork import become, run_as_program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

_POLL_S = 0.02


class _ForkedRank:
    """What torchrun uses of ``subprocess.Popen``."""

    def __init__(self, pid: int, args: Sequence[str]) -> None:
        self.pid = pid
        self.args = args
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        deadline = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if deadline is not None and timeout is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(list(self.args), timeout)
            time.sleep(_POLL_S)
        return code


def run_ranks(options: Sequence[str], program: ModuleType, arguments: Sequence[str]) -> None:
    """Run torchrun; its ranks run a module's ``main``.

    Args:
        options: Arguments of ``torchrun``, the program and its arguments included.
        program: The module.
        arguments: What its ``main`` is called with.
    """
    from torch.distributed import run  # noqa: PLC0415  (only where a step has ranks)
    from torch.distributed.elastic.multiprocessing.subprocess_handler import (  # noqa: PLC0415
        subprocess_handler,
    )

    def fork(_: Any, args: Sequence[str], env: Mapping[str, str]) -> _ForkedRank:
        return _fork(args, env, program, arguments)

    handler: Any = subprocess_handler.SubprocessHandler
    if not hasattr(handler, "_popen"):
        raise RuntimeError("this torch starts ranks in another way; give the step start='cold'")
    handler._popen = fork  # noqa: SLF001  (the one place at which an interpreter would start)
    run.main(list(options))


def _fork(
    args: Sequence[str], env: Mapping[str, str], program: ModuleType, arguments: Sequence[str]
) -> _ForkedRank:
    ready, tell = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        os.close(ready)
        become(program.__name__, arguments, env, str(Path.cwd()))
        os.close(tell)
        run_as_program(lambda: program.main(arguments))
    os.close(tell)
    os.read(ready, 1)  # until the rank leads its process group: torchrun may signal it at once
    os.close(ready)
    return _ForkedRank(pid, args)
