"""NCCL makes files in /dev/shm as a group begins, and Docker gives it 64 MiB."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
import re
import subprocess
from pathlib import Path
from typing import Any

from failure import join, start

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, run_snippet
from fixbook.recipe.helpers import private_mount

NCCL: dict[str, Any] = {
    "versions": ["nvidia-nccl-cu13==2.29.7"],
    "programs": ["cc"],
    "record_once": "NCCL alone is a download of 200 MB",
}
MOUNT: dict[str, Any] = NCCL | {"programs": ["cc", "mount"]}
MIB = 2**20
PINNING_REFUSED = {"FIXBOOK_GPU_ANSWERS": "cudaHostRegister=2"}


def looked_at() -> dict[str, Any]:
    """Look as the page does."""
    said = run_snippet("room").stdout.strip()
    free, need = (int(number) for number in re.findall(r"(\d+) MiB", said))
    return {"found": free < need, "said": said}


def in_room(mib: int, gpus: int = 2, *, remount: bool = False, **settings: str) -> Any:
    """Start with a /dev/shm of so many MiB."""
    private_mount(mib * MIB)
    if remount:
        run_snippet("remount")
    measure(room=mib * MIB, disabled=settings.get("NCCL_SHM_DISABLE", "0"), **looked_at())
    return start(gpus, **settings)


@reproduce(**NCCL)
def default_shm() -> Any:
    """What Docker gives, and two GPUs."""
    return in_room(64)


@reproduce(**NCCL)
def eight_gpus() -> Any:
    """Eight GPUs, and eight times as much."""
    return in_room(512, 8)


def after_a_failed_start(*, removed: bool) -> Any:
    """Fail with four GPUs, raise the size, and start with two."""
    private_mount(64 * MIB)
    with contextlib.redirect_stdout(io.StringIO()):  # what counts is the next start
        measure(failed_before=sum(bool(end.code) for end in join(4)))
    files = list(Path("/dev/shm").glob("nccl-*"))  # noqa: S108  (what NCCL uses)
    measure(left=sum(file.stat().st_size for file in files))
    subprocess.run(["mount", "-o", "remount,size=128m", "/dev/shm"], check=True)  # noqa: S108
    if removed:
        run_snippet("remove")
    return start(2)


@reproduce(**MOUNT)
def left_over() -> Any:
    """Files of a start that failed take the room."""
    return after_a_failed_start(removed=False)


@fix("larger", control="eight-gpus", **NCCL)
def larger() -> Any:
    """1 GiB."""
    return in_room(1024, 8)


@fix("remount", control="default-shm", **MOUNT)
def remounted() -> Any:
    """The same file system, made larger where it is."""
    return in_room(64, remount=True)


@fix("left-over", control="left-over", **MOUNT)
def left_over_removed() -> Any:
    """They are deleted first."""
    return after_a_failed_start(removed=True)


@non_fix("disable", control="default-shm", **NCCL)
def shm_disabled() -> Any:
    """The way through sockets has its buffers there, too."""
    return in_room(64, NCCL_SHM_DISABLE="1")


def before_start(mib: int) -> dict[str, Any]:
    """Look at a /dev/shm of so many MiB."""
    private_mount(mib * MIB)
    return looked_at()


@detect(found=True, **NCCL)
def too_small() -> Any:
    """Eight GPUs, before they start."""
    return before_start(512)


@detect(found=False, control="too-small", **NCCL)
def roomy() -> Any:
    """The same, with the room of the fix."""
    return before_start(1024)


@detect(found=False, **NCCL)
def pinning_refused() -> Any:
    """CUDA refuses to pin the memory: nearly the same words, and room enough."""
    seen = before_start(1024)
    end = join(2, **PINNING_REFUSED)[0]
    return seen | {"first": end.warnings[-2].partition(" NCCL WARN ")[2], "last": end.last}


if __name__ == "__main__":
    main(__file__)
