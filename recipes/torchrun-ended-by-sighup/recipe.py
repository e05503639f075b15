"""The terminal is closed: torchrun gets SIGHUP, which it handles although nohup ignores it."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_terminal import PYTHON, TORCHRUN, closed

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def in_the_background() -> dict[str, Any]:
    """Started with & alone."""
    return closed(TORCHRUN)


@non_fix("nohup", control="in-the-background")
def with_nohup() -> dict[str, Any]:
    """Started with nohup and &."""
    return closed(f"nohup {TORCHRUN}")


@fix("session", control="in-the-background")
def in_a_session() -> dict[str, Any]:
    """Started in a session of its own."""
    return closed(mend="session")


@fix("signals", control="in-the-background", needs=["torch>=2.13"])
def with_nohup_and_option() -> dict[str, Any]:
    """Started with nohup, and torchrun leaves SIGHUP alone."""
    return closed(mend="signals")


@fix("disown", control="in-the-background")
def disowned() -> dict[str, Any]:
    """Started with &, and taken off the shell's list afterwards."""
    return closed(TORCHRUN, later="disown")


@detect(found=True)
def python_in_the_background() -> dict[str, Any]:
    """Python itself, with & alone: the log just stops."""
    return closed(PYTHON)


@detect(found=False, control="python-in-the-background")
def python_with_nohup() -> dict[str, Any]:
    """Python itself, with nohup."""
    return closed(f"nohup {PYTHON}")


if __name__ == "__main__":
    main(__file__)
