"""Locks of multiprocessing are semaphores, and those are files in /dev/shm."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from failure import by_joblib, by_name, by_pipe, in_threads, load, samples
from proof_shm import closed, missing, read_only, without_semaphores

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet

if TYPE_CHECKING:
    from collections.abc import Callable

JOBLIB: dict[str, Any] = {"versions": ["joblib==1.5.2"]}


def after(
    broken: Callable[..., None],
    *how: int,
    mend: str = "",
    work: Callable[[], dict[str, Any]] = load,
) -> dict[str, Any]:
    """Break /dev/shm, mend it as the page does if it is said how, and work."""
    broken(*how, mend=mend)
    return work()


def page() -> dict[str, Any]:
    """Load as the page does, in one process."""
    loader = snippet("without", dataset=samples())["loader"]
    return {"batches": sum(1 for _ in loader)}


def look() -> dict[str, Any]:
    """Look as the page does."""
    seen = snippet("look")
    return {"found": not seen["writable"]} | {
        name: seen[name] for name in ("there", "read_only", "writable")
    }


def joblib() -> dict[str, Any]:
    """Say whether joblib left all work to this process."""
    done = by_joblib()
    return {"found": done["here"] == 8} | done


@reproduce()
def nowhere() -> dict[str, Any]:
    """No /dev/shm, as in a bare root folder."""
    return after(missing)


@reproduce()
def written_by_root_alone() -> dict[str, Any]:
    """A user may look into it, and write nothing."""
    return after(closed, 0o555)


@reproduce()
def closed_to_users() -> dict[str, Any]:
    """A user may not even look into it."""
    return after(closed, 0o000)


@reproduce()
def mounted_read_only() -> dict[str, Any]:
    """As part of a root file system that is read-only."""
    return after(read_only)


@reproduce(start="cold")
def built_without() -> dict[str, Any]:
    """A Python whose build found no semaphores."""
    return after(without_semaphores)


@detect(found=True)
def finds_none() -> dict[str, Any]:
    """No folder."""
    return after(missing, work=look)


@detect(found=True)
def finds_it_closed() -> dict[str, Any]:
    """A folder that others may write to."""
    return after(closed, 0o555, work=look)


@detect(found=True)
def finds_it_read_only() -> dict[str, Any]:
    """A file system that nobody may write to."""
    return after(read_only, work=look)


@detect(found=False, control="finds-none")
def finds_it_in_order() -> dict[str, Any]:
    """After the page's lines."""
    return after(missing, mend="mount", work=look)


@detect(found=False, control="finds-it-closed")
def finds_it_opened() -> dict[str, Any]:
    """After the page's line."""
    return after(closed, 0o555, mend="chmod", work=look)


@fix("mount", control="nowhere", programs=["mount"])
def mounted() -> dict[str, Any]:
    """A file system in memory."""
    return after(missing, mend="mount")


@fix("chmod", control="written-by-root-alone")
def opened() -> dict[str, Any]:
    """All may write, and remove what is their own."""
    return after(closed, 0o555, mend="chmod")


@fix("chmod", control="closed-to-users")
def opened_to_users() -> dict[str, Any]:
    """The same for the message that speaks of a file."""
    return after(closed, 0o000, mend="chmod")


@fix("remount", control="mounted-read-only", programs=["mount"])
def remounted() -> dict[str, Any]:
    """The same file system, for writing."""
    return after(read_only, mend="remount")


@fix("without", control="nowhere")
def in_one_process() -> dict[str, Any]:
    """The main process makes the batches."""
    return after(missing, work=page)


@fix("without", control="built-without", start="cold")
def in_one_process_of_such_a_python() -> dict[str, Any]:
    """The same without any semaphores."""
    return after(without_semaphores, work=page)


@fix("without", control="nowhere")
def by_a_pipe() -> dict[str, Any]:
    """A process and a pipe, without any lock."""
    return after(missing, work=by_pipe)


@non_fix("thread-pool", control="nowhere")
def pool_of_threads() -> dict[str, Any]:
    """Threads need no semaphore; this pool of them does."""
    return after(missing, work=in_threads)


@non_fix("file-system", control="nowhere")
def shared_by_name() -> dict[str, Any]:
    """It says how tensors are shared."""
    return after(missing, work=by_name)


@detect(found=True, **JOBLIB)
def joblib_alone() -> dict[str, Any]:
    """It works on in one process."""
    return after(missing, work=joblib)


@detect(found=False, control="joblib-alone", **JOBLIB)
def joblib_beside() -> dict[str, Any]:
    """With /dev/shm it starts processes."""
    return after(missing, mend="mount", work=joblib)


if __name__ == "__main__":
    main(__file__)
