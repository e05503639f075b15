"""A parquet stream is left early, and the interpreter aborts on its way out."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "datasets==5.2.0", "pyarrow==26.0.1", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from failure import DONE, EARLY, LOADER, OPEN, WHOLE, rows, start

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet, snippet_text

OLDER: Any = {
    "versions": ["datasets==4.8.4", "pyarrow==24.0.0", "httpx==0.28.1", "httpcore==1.0.9"],
    "record_once": "older releases beside the main ones, imported anew",
}
CHANCE: Any = {
    "needs": ["datasets>=5", "pyarrow>=25"],
    "record_once": "chance decides how often the script has to be started",
}
MANY_STARTS = 15


def ended(script: str, *, last: str = "", starts: int = 5) -> dict[str, Any]:
    """Run the script so many times, or until it fails; end as it ended."""
    rows()
    codes = (start(script + last) for _ in range(starts))
    code = next(filter(None, codes), 0)
    measure(code=code, datasets=version("datasets"), pyarrow=version("pyarrow"))
    if code:
        sys.exit(128 - code)
    return {}


def checked(reads: str) -> dict[str, Any]:
    """Let the page's check run a script that reads so."""
    rows()
    Path("train.py").write_text(OPEN + reads + DONE, encoding="utf-8")
    found = snippet("ask")
    return {"found": found["at_exit"], "code": found["run"].returncode}


@reproduce(**OLDER)
def stopped_early() -> Any:
    """One row is read, and the script is done."""
    return ended(OPEN + EARLY + DONE)


@reproduce(**OLDER)
def taken() -> Any:
    """The first row is taken."""
    return ended(OPEN + EARLY.replace("stream", "stream.take(1)") + DONE)


@reproduce(**OLDER)
def one_batch() -> Any:
    """A DataLoader reads in the main process, one batch."""
    return ended(OPEN + LOADER % "" + DONE)


@detect(found=True, **OLDER)
def left_early() -> Any:
    """What the check says of a script that reads one batch."""
    return checked(LOADER % "")


@detect(found=False, control="left-early", **OLDER)
def read_to_the_end() -> Any:
    """Nothing is left to read when the script ends."""
    return checked(WHOLE)


@fix("worker", control="left-early", **OLDER)
def read_by_a_worker() -> Any:
    """The argument of the page."""
    return checked(LOADER % f", {snippet_text('worker').strip()}")


@fix("collect", control="stopped-early", **OLDER)
def collected() -> Any:
    """The lines of the page come last."""
    return ended(OPEN + EARLY + DONE, last=snippet_text("collect"))


@fix("leave", control="stopped-early", **OLDER)
def left_at_once() -> Any:
    """The lines of the page come last."""
    return ended(OPEN + EARLY + DONE, last=snippet_text("leave"))


@non_fix("newer", control="stopped-early", **CHANCE)
def on_today_s_releases() -> Any:
    """Both libraries are new, and the script is started until it aborts."""
    return ended(OPEN + EARLY + DONE, starts=MANY_STARTS)


if __name__ == "__main__":
    main(__file__)
