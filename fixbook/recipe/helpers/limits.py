"""Limits of a process, as a container or a shell sets them."""

from __future__ import annotations

import contextlib
import resource
from typing import TYPE_CHECKING

from fixbook.recipe.author.skip import skip

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def limits(
    *, files: int | None = None, memory: int | None = None, file_size: int | None = None
) -> Iterator[None]:
    """Lower limits of this process, and of what it starts meanwhile.

    Args:
        files: Open files (``ulimit -n``).
        memory: Address space in bytes (``ulimit -v``).
        file_size: Size of a written file in bytes (``ulimit -f``); beyond it, the system call fails
            or the process gets SIGXFSZ.

    A limit that is lower already than what is asked for skips the step.
    """
    asked = {
        resource.RLIMIT_NOFILE: files,
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_FSIZE: file_size,
    }
    before = {kind: resource.getrlimit(kind) for kind, value in asked.items() if value is not None}
    try:
        for kind, (_, hard) in before.items():
            value = asked[kind] or 0
            if hard != resource.RLIM_INFINITY and value > hard:
                skip(f"this machine allows {hard} where the step sets a limit of {value}")
            resource.setrlimit(kind, (value, hard))  # the hard limit stays, so it can be undone
        yield
    finally:
        for kind, pair in before.items():
            resource.setrlimit(kind, pair)
