"""A killed build leaves its lock file behind, and every later run waits for it, silently."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "filelock==4.2.11"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from failure import build
from proof_killed import ROOT, kill_a_build, within_patience

from fixbook.recipe import detect, fix, main, reproduce, run_snippet, snippet

if TYPE_CHECKING:
    from collections.abc import Callable


def run(
    *,
    killed_by: int = signal.SIGKILL,
    mend: str = "",
    fresh: bool = False,
    load: Callable[[int], Any] = build,
) -> dict[str, Any]:
    """Kill a build in the middle, then load the operator as the next run does."""
    kill_a_build(killed_by)
    if mend:
        run_snippet(mend)
    if fresh:
        os.environ["TORCH_EXTENSIONS_DIR"] = str(Path("fresh").absolute())
    return {"version": within_patience(load).version}


@reproduce(on="cpu")
def after_a_killed_build() -> Any:
    """The lock's owner is gone, and nobody removes it."""
    return run()


@fix("delete-lock", control="after-a-killed-build", on="cpu")
def lock_deleted() -> Any:
    """The next run builds."""
    return run(mend="delete-lock")


@fix("fresh-folder", control="after-a-killed-build", on="cpu")
def folder_of_its_own() -> Any:
    """There is no lock in a new folder."""
    return run(fresh=True)


@fix("guard", control="after-a-killed-build", on="cpu")
def guarded() -> Any:
    """A lock that the kernel releases decides who may build."""
    return run(load=lambda version: snippet("guard", build=build, version=version)["kernel"])


def listed(killed_by: int) -> dict[str, Any]:
    """End a build by a signal, and list locks as the page does."""
    kill_a_build(killed_by)
    return {"found": "kernel/lock" in run_snippet("list-locks").stdout}


@detect(found=True, on="cpu")
def terminated() -> Any:
    """SIGTERM: from a scheduler, from torchrun."""
    return listed(signal.SIGTERM)


@detect(found=False, control="terminated", on="cpu")
def interrupted() -> Any:
    """SIGINT: Ctrl-C in the process that builds."""
    return listed(signal.SIGINT)


def while_another_waits(*, first: int) -> dict[str, Any]:
    """Build one version, kill the build of the next, delete the lock under a waiting run."""
    os.environ["TORCH_EXTENSIONS_DIR"] = str(ROOT.absolute())
    child = os.fork()
    if child == 0:
        build(first)
        os._exit(0)
    os.waitpid(child, 0)
    kill_a_build(signal.SIGKILL, version=2)
    threading.Timer(1.0, run_snippet, ["delete-lock"]).start()
    loaded = build(2).version
    return {"found": loaded != 2, "loaded": loaded}


@detect(found=True, on="cpu")
def deleted_under_a_waiting_run() -> Any:
    """It goes on without building, and loads what was there before."""
    return while_another_waits(first=1)


@detect(found=False, control="deleted-under-a-waiting-run", on="cpu")
def nothing_had_changed() -> Any:
    """The same, had the source not changed."""
    return while_another_waits(first=2)


if __name__ == "__main__":
    main(__file__)
