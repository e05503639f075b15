"""A file system of a step's own, of any size, that no other process sees."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from fixbook.recipe.author.skip import skip

_NEW_MOUNTS, _NEW_USER = 0x00020000, 0x10000000  # CLONE_NEWNS, CLONE_NEWUSER
_RECURSIVE, _PRIVATE = 0x4000, 0x40000  # MS_REC, MS_PRIVATE


def private_mount(
    size: int,
    path: Path | str = "/dev/shm",  # noqa: S108  (that is the point)
    *,
    inodes: int = 0,
) -> None:
    """Mount an empty file system in memory over a folder, for this process and its children.

    It lasts as long as they do. A machine that forbids it skips the step with the reason. Call it
    first, before any thread is started.

    Args:
        size: Its size in bytes.
        path: The folder that it covers.
        inodes: How many files and folders it holds, itself among them; 0 for the system's default.
    """
    folder = os.fsencode(Path(path))
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    try:
        # Root needs no user namespace, and inside one it would lose rights over other mounts.
        if user != 0 or libc.unshare(_NEW_MOUNTS):
            _check(libc.unshare(_NEW_MOUNTS | _NEW_USER), "a mount namespace of its own")
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"0 {user} 1")
            Path("/proc/self/gid_map").write_text(f"0 {group} 1")
        _check(libc.mount(None, b"/", None, _RECURSIVE | _PRIVATE, None), "private mounts")
        options = f"size={size},mode=1777{f',nr_inodes={inodes}' if inodes else ''}".encode()
        _check(libc.mount(b"tmpfs", folder, b"tmpfs", 0, options), f"a mount on {path}")
    except OSError as error:
        skip(f"this machine forbids it: {error}")
    except AttributeError:
        skip("mount namespaces exist on Linux only")


def _check(answer: int, what: str) -> None:
    if answer:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
