"""What a forked process does to look like a program that was just started, and to end like one."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType

_FIRST_FOR_THE_OOM_KILLER = "500"
_AS_A_PROGRAM = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)


def become(module: str, arguments: Sequence[str], env: Mapping[str, str], cwd: str) -> None:
    """Look like ``python -m MODULE ARGUMENTS``, in a session of its own.

    Args:
        module: The module that such a process would run.
        arguments: Its arguments.
        env: The whole environment.
        cwd: Working directory; first on the import path, as for ``python -m``.
    """
    os.setsid()
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_FIRST_FOR_THE_OOM_KILLER, encoding="ascii")
    for number in _AS_A_PROGRAM:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv[:] = [str(sys.modules[module].__file__), *arguments]
    # For a program that starts itself again, such as under another allocator.
    sys.orig_argv[:] = [sys.executable, "-m", module, *arguments]
    sys.path[0] = cwd
    tempfile.tempdir = None  # it was found out under the parent's TMPDIR


def run_as_program(program: Callable[[], None]) -> NoReturn:
    """Run a function as the main program of this process and end the process.

    Exit code, traceback, threads and ``atexit`` are those of an interpreter. Modules are not taken
    down one by one, which takes a second with large libraries: a step that is about what happens
    there has to start cold.
    """
    code = 0
    try:
        program()
    except SystemExit as end:
        code = _exit_code(end)
    except BaseException:  # noqa: BLE001  (the interpreter's own last resort)
        _report(*sys.exc_info())
        code = 1
    with contextlib.suppress(BaseException):
        threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001  (as the interpreter)
    with contextlib.suppress(BaseException):
        atexit._run_exitfuncs()  # noqa: SLF001
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(code)


def _report(
    kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
) -> None:
    """Print an exception and leave it where exit handlers look for one."""
    if kind is None or error is None:
        return
    sys.last_type, sys.last_value, sys.last_traceback = kind, error, trace
    sys.last_exc = error  # type: ignore[attr-defined,unused-ignore]  # from Python 3.12 on
    sys.excepthook(kind, error, trace)


def _exit_code(end: SystemExit) -> int:
    if end.code is None:
        return 0
    if isinstance(end.code, int):
        return end.code & 0xFF
    sys.stderr.write(f"{end.code}\n")
    return 1
