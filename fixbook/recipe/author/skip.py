"""End a step that this machine forbids, and say why: it counts as skipped, never as passed."""

from __future__ import annotations

from typing import NoReturn


class Skipped(BaseException):
    """Raised by `skip`; no ``except Exception`` of a library swallows it."""


def skip(reason: str) -> NoReturn:
    """End the step as skipped.

    Args:
        reason: What the machine lacks or forbids, for example "mounts are not allowed here".

    Raises:
        Skipped: Always.
    """
    raise Skipped(reason)
