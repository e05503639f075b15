"""One step that was forked from a warm process, seen from the process that asked for it."""

from __future__ import annotations

import contextlib
import json
import select
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import psutil

from fixbook.recipe.process.outcome import GIB, Limits, Start

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping, Sequence
    from pathlib import Path

MAX_REQUEST = 1 << 17  # bytes
FOLDER_PREFIX = "fixbook-warm-"
_END_TIMEOUT_S = 30
_MAX_REPORT = 4096


class WarmStartError(Exception):
    """A step could not be forked, or whoever watched over it died: run it cold."""


@dataclass(frozen=True, slots=True)
class ForkRequest:
    """What a step is forked with.

    Attributes:
        recipe: The recipe file.
        step: Name of the step.
        env: The whole environment of its process.
        cwd: Its working directory.
        torchrun: Arguments of ``torchrun``; empty for a step of one process.
        limits: What it may use.
    """

    recipe: Path
    step: str
    env: Mapping[str, str]
    cwd: Path
    torchrun: Sequence[str]
    limits: Limits

    def message(self, imports: Sequence[str], later: Sequence[str] = ()) -> bytes:
        """Return what the fork server reads.

        Args:
            imports: Statements that it must have executed.
            later: Statements that others will need: it executes them once this one runs.
        """
        request = {
            "imports": imports,
            "later": later,
            "recipe": str(self.recipe.resolve()),
            "step": self.step,
            "env": dict(self.env),
            "cwd": str(self.cwd),
            "torchrun": list(self.torchrun),
            "file_bytes": int(self.limits.disk_gib * GIB),
        }
        return json.dumps(request).encode()


class WarmStep:
    """A step that was forked; see `watch.Running`."""

    start: Start = "warm"

    def __init__(self, control: socket.socket, output: IO[bytes], supervisor: int) -> None:
        self.output = output
        self._control = control
        self._supervisor = supervisor
        self._report: dict[str, Any] | None = None

    def ended(self) -> bool:
        """Tell whether the step's first process has ended.

        Raises:
            WarmStartError: Its supervisor has died.
        """
        if self._report is None and select.select([self._control], [], [], 0)[0]:
            self._report = receive(self._control)
        return self._report is not None

    def processes(self) -> Sequence[psutil.Process]:
        """Return the step's processes; the supervisor is not one of them."""
        try:
            return psutil.Process(self._supervisor).children(recursive=True)
        except psutil.Error:
            return []

    def end(self) -> tuple[int, float]:
        """End it if it still runs; return its code as in ``Popen`` and CPU seconds.

        Raises:
            WarmStartError: Its supervisor has died.
        """
        with self._control as control:
            if self._report is None:
                with contextlib.suppress(OSError):  # it may just have reported and gone
                    control.sendall(b"stop")
                try:
                    control.settimeout(_END_TIMEOUT_S)
                    self._report = receive(control)
                except OSError as error:
                    raise WarmStartError(f"its supervisor does not answer: {error}") from None
        code = self._report["code"]
        return (-9 if code is None else code), self._report["cpu_seconds"]


def receive(control: socket.socket) -> dict[str, Any]:
    """Read one report; the end of the socket means that its other end has died."""
    data = control.recv(_MAX_REPORT)
    if not data:
        raise WarmStartError("no report came")
    report: dict[str, Any] = json.loads(data)
    return report
