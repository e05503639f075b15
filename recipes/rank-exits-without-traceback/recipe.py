"""A rank has ended, and nothing that was printed says where in the code."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from failure import launch

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet, snippet_text
from fixbook.recipe.helpers import beside, exit_code

PRINTED = Path("printed.txt")
HIDDEN = ["--redirects=3", "--log-dir=logs"]
FAULTHANDLER = {"PYTHONFAULTHANDLER": "1"}


def output(way: str, *options: str, **changes: Any) -> str:
    """Launch, and return what was printed."""

    def work() -> None:
        file = os.open(PRINTED, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(file, 2)
        launch(way, *options, **changes)

    with beside(work) as launcher:
        measure(launcher=exit_code(launcher))
    return PRINTED.read_text("utf-8")


def explained(way: str, *options: str, tells: str = "read_row", **changes: Any) -> dict[str, Any]:
    """Launch, and look for the place of the failure in what was printed."""
    measure(faulthandler=os.environ.get("PYTHONFAULTHANDLER", "0"))
    printed = output(way, *options, **changes)
    codes = [int(code) for code in re.findall(r"exitcode +: (-?\d+)", printed)]
    measure(exitcode=codes[0] if codes else 0, recorded=Path("recorded").exists())
    if tells not in printed:
        print(printed)
        raise SystemExit(f"nothing that was printed names {tells}")
    line = next(line for line in printed.splitlines() if tells in line)
    return {"line": re.sub(r'"[^"]*/', '"', line).strip()}


@reproduce()
def segfault() -> Any:
    """Native code reads where there is nothing."""
    return explained("segfault")


@fix("faulthandler", control="segfault", env=FAULTHANDLER)
def segfault_with_faulthandler() -> Any:
    """Python writes its stack as it crashes."""
    return explained("segfault")


@reproduce()
def error_out_of_sight() -> Any:
    """An exception, printed where nobody looks."""
    return explained("error", *HIDDEN)


@fix("tee", control="error-out-of-sight")
def error_in_sight() -> Any:
    """Each rank's output goes to its file, and to the terminal."""
    return explained("error", *HIDDEN, "--tee=3")


@fix("record", control="error-out-of-sight")
def error_recorded() -> Any:
    """The exception stands in torchrun's summary."""
    return explained("error", *HIDDEN, recorded=True)


@reproduce()
def quiet_exit() -> Any:
    """A library ends the process itself."""
    return explained("quiet")


@non_fix("record-quiet", control="quiet-exit")
def quiet_exit_recorded() -> Any:
    """There is no exception to record."""
    return explained("quiet", recorded=True)


@fix("exits", control="quiet-exit")
def quiet_exit_told() -> Any:
    """Who ends the process says where."""
    return explained("quiet", before=snippet_text("exits"))


@reproduce()
def killed() -> Any:
    """SIGKILL cannot be caught."""
    return explained("SIGKILL")


@non_fix("faulthandler-kill", control="killed", env=FAULTHANDLER)
def killed_with_faulthandler() -> Any:
    """Nor by the faulthandler."""
    return explained("SIGKILL")


def said(*ways: str) -> dict[str, Any]:
    """End in several ways; give the page's lines what torchrun says."""
    told = {}
    for way in ways:
        codes = re.findall(r"exitcode +: (-?\d+)", output(way))
        told[way] = snippet("explain")["explain"](int(codes[0]))
        measure(**{f"code_{way.lower()}": int(codes[0])})
    return {"found": all("SIG" in text for text in told.values()), "told": ", ".join(told.values())}


@detect(found=True)
def codes_of_signals() -> Any:
    """Ended by signals."""
    return said("SIGABRT", "SIGBUS", "SIGKILL", "SIGSEGV")


@detect(found=False, control="codes-of-signals")
def codes_of_exits() -> Any:
    """Ended by an exception, and by itself."""
    return said("error", "quiet")


def finished(way: str) -> dict[str, Any]:
    """Launch two ranks, and count as the page does which came to the end."""
    for mark in Path().glob("finished-*"):
        mark.unlink()
    output(way, ranks=2)
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
