"""A rank has ended, and nothing that was printed says where in the code."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import _ctypes
import contextlib
import ctypes
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from failure import launch, write

from fixbook.recipe import (
    detect,
    fix,
    main,
    measure,
    non_fix,
    reproduce,
    run_snippet,
    snippet,
    snippet_text,
)
from fixbook.recipe.helpers import beside, exit_code

PRINTED = Path("printed.txt")
HIDDEN = ["--redirects=3", "--log-dir=hidden"]
TORCHRUN = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
FAULTHANDLER = {"PYTHONFAULTHANDLER": "1"}


def output(way: str, *options: str, by: str = "", **script: str) -> str:
    """Launch here, or with a command of the page in a shell; return what was printed."""
    write(way, **script)
    if by:
        return run_snippet(by, env=TORCHRUN).stdout

    def work() -> None:
        file = os.open(PRINTED, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(file, 2)
        launch(*options)

    with beside(work) as launcher:
        measure(launcher=exit_code(launcher))
    return PRINTED.read_text("utf-8")


def code_of(printed: str) -> int:
    """Return the exit code of the rank that failed first."""
    return int(re.findall(r"exitcode +: (-?\d+)", printed.partition("Root Cause")[2])[0])


def run(way: str, *options: str, **changes: str) -> dict[str, Any]:
    """Launch, and look for the place of the failure in what was printed."""
    printed = output(way, *options, **changes)
    measure(
        exitcode=code_of(printed),
        faulthandler=os.environ.get("PYTHONFAULTHANDLER", "0"),
        recorded=Path("handler-0").read_text() == "True",  # the decorator turns it on
        in_file="ValueError" in printed.partition("==> logs/")[2],
    )
    if "read_row" not in printed:
        print(printed)
        raise SystemExit("nothing that was printed names read_row")
    line = next(line for line in printed.splitlines() if "read_row" in line)
    return {"line": re.sub(r'"[^"]*/', '"', line).strip()}


@reproduce()
def error_out_of_sight() -> Any:
    """An exception, printed where nobody looks."""
    return run("error", *HIDDEN)


@fix("tee", control="error-out-of-sight")
def error_in_sight() -> Any:
    """Each rank's output goes to its file, and to the terminal."""
    return run("error", by="tee")


@reproduce()
def segfault() -> Any:
    """Native code reads where there is nothing."""
    return run("segfault")


@fix("faulthandler", control="segfault")
def segfault_with_faulthandler() -> Any:
    """Python writes its stack as it crashes."""
    return run("segfault", by="faulthandler")


@fix("faulthandler", control="segfault", env=FAULTHANDLER)
def abort_with_faulthandler() -> Any:
    """The same of native code that gives up."""
    return run("SIGABRT")


@fix("faulthandler", control="segfault", env=FAULTHANDLER)
def bus_error_with_faulthandler() -> Any:
    """The same of memory that cannot be used."""
    return run("SIGBUS")


@fix("record", control="error-out-of-sight")
def error_recorded() -> Any:
    """The exception stands in torchrun's summary."""
    return run("error", *HIDDEN, last=snippet_text("record"))


@fix("record", control="segfault")
def segfault_recorded() -> Any:
    """The decorator turns the faulthandler on."""
    return run("segfault", last=snippet_text("record"))


@reproduce()
def quiet_exit() -> Any:
    """A library ends the process itself."""
    return run("quiet")


@fix("exits", control="quiet-exit")
def quiet_exit_told() -> Any:
    """Who ends the process says where."""
    return run("quiet", before=snippet_text("exits"))


@fix("exits", control="quiet-exit")
def sys_exit_told() -> Any:
    """The other function that ends it."""
    return run("leave", before=snippet_text("exits"))


@non_fix("record-quiet", control="quiet-exit")
def quiet_exit_recorded() -> Any:
    """There is no exception to record."""
    return run("quiet", last=snippet_text("record"))


@reproduce()
def killed() -> Any:
    """SIGKILL cannot be caught."""
    return run("SIGKILL")


@non_fix("faulthandler-kill", control="killed", env=FAULTHANDLER)
def killed_with_faulthandler() -> Any:
    """Nor by the faulthandler."""
    return run("SIGKILL")


def said(code: int) -> str:
    """Give an exit code to the page's lines."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        snippet("explain", code=code)
    return printed.getvalue().strip()


def all_said(*ways: str, command: str) -> dict[str, Any]:
    """End under torchrun in several ways, and in a shell; give the codes to the page's lines."""
    codes = [code_of(output(way)) for way in ways]
    in_shell = subprocess.run(["bash", "-c", f"({command}); exit $?"], check=False).returncode
    measure(codes=codes, shell=in_shell, in_shell=said(in_shell))
    names = [said(code) for code in codes]
    return {"found": any("SIG" in name for name in names), "told": ", ".join(dict.fromkeys(names))}


@detect(found=True)
def codes_of_signals() -> Any:
    """Ended by signals."""
    return all_said("SIGABRT", "SIGBUS", "SIGKILL", "SIGSEGV", command="kill -SEGV $BASHPID")


@detect(found=False, control="codes-of-signals")
def codes_of_exits() -> Any:
    """Ended by an exception, and by itself in two ways."""
    return all_said("error", "quiet", "leave", command="exit 1")


def copies(*folders: str) -> dict[str, Any]:
    """Load a library from each folder; list as the page does what has been loaded."""
    for folder in folders:
        Path(folder).mkdir()
        ctypes.CDLL(shutil.copy(_ctypes.__file__, Path(folder, "libnccl.so.2").resolve()))
    names = [Path(path).name for path in snippet("loaded")["loaded"]]
    return {"found": len(names) > len(set(names)), "names": names}


@detect(found=True)
def two_copies() -> Any:
    """Two files of one name."""
    return copies("wheel", "system")


@detect(found=False, control="two-copies")
def one_copy() -> Any:
    """One file of each name."""
    return copies("wheel")


def finished(way: str) -> dict[str, Any]:
    """Launch two ranks, and count as the page does which came to the end."""
    for mark in Path().glob("finished-*"):
        mark.unlink()
    output(way)
    missing = snippet("all-finished", expected=2)["missing"]
    return {"found": missing > 0, "missing": missing}


@detect(found=True)
def ended_early() -> Any:
    """A rank that ends with 0 counts as done."""
    return finished("early")


@detect(found=False, control="ended-early")
def ended_all() -> Any:
    """All came to the end."""
    return finished("fine")


if __name__ == "__main__":
    main(__file__)
