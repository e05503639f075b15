"""Two ranks of one group have different releases of NCCL."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import Any

from failure import OWN, join, other_library, own_folder, start

from fixbook.recipe import detect, fix, main, reproduce, run_snippet

NCCL: dict[str, Any] = {
    "versions": ["nvidia-nccl-cu13==2.29.7"],
    "programs": ["cc"],
    "record_once": "NCCL is a download of 200 MB, and the other release one of 320 MB",
}


@reproduce(**NCCL)
def first_is_older() -> Any:
    """Rank 0 has 2.27.5, rank 1 has 2.29.7."""
    return start(0)


@reproduce(**NCCL)
def first_is_newer() -> Any:
    """Rank 0 has 2.29.7, rank 1 has 2.27.5."""
    return start(1)


@reproduce(**NCCL)
def without_infiniband() -> Any:
    """The group meets over TCP in any case."""
    return start(0, NCCL_IB_DISABLE="1")


@reproduce(**NCCL)
def longer_wait() -> Any:
    """They go on waiting."""
    return start(0, patience_s=30)


@fix("one-release", control="first-is-older", **NCCL)
def both_newer() -> Any:
    """Both have 2.29.7."""
    return start()


@fix("one-release", control="first-is-newer", **NCCL)
def both_older() -> Any:
    """Both have 2.27.5."""
    return start(0, 1)


def looked_at(*others: int) -> dict[str, Any]:
    """Look at the log as the page does."""
    with contextlib.redirect_stdout(io.StringIO()) as log:
        join(*others, NCCL_DEBUG="INFO")
    Path("train.log").write_text(log.getvalue(), "utf-8")
    said = run_snippet("releases").stdout.splitlines()
    return {"found": len(said) > 1, "first": said[0], "last": said[-1]}


@detect(found=True, **NCCL)
def two_releases() -> dict[str, Any]:
    """Each rank names its own."""
    return looked_at(0)


@detect(found=False, control="two-releases", **NCCL)
def one_release() -> dict[str, Any]:
    """Both name one."""
    return looked_at()


def asked(preload: str = "") -> dict[str, Any]:
    """Ask as the page does which libnccl a process has, beside the published one."""
    said = run_snippet(
        "loaded",
        env={
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "LD_LIBRARY_PATH": str(own_folder()),
            "LD_PRELOAD": preload,
        },
    )
    number = int(said.stdout)
    return {"found": number != OWN, "number": number}


@detect(found=True, **NCCL)
def preloaded() -> dict[str, Any]:
    """A variable brings the older library."""
    return asked(str(other_library()))


@detect(found=False, control="preloaded", **NCCL)
def not_preloaded() -> dict[str, Any]:
    """The variable is gone."""
    return asked()


if __name__ == "__main__":
    main(__file__)
