"""Keep processes that have imported large libraries, and start steps by forking them.

There is one such process per set of libraries (see `imports`), and only a few at a time: the one
unused for longest makes room. Each ends with the process that uses it, however that ends.
"""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

import psutil

from fixbook.recipe.outcome import GIB, Limits, Start

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fixbook.recipe.imports import Imports

MOST = 3
_START_TIMEOUT_S = 300  # its imports included, on a busy machine
_END_TIMEOUT_S = 30
_MAX_REPORT = 4096
# Fork without exec is sound only where libraries are known to bear it, and prctl is Linux's.
SUPPORTED = sys.platform == "linux" and hasattr(os, "pidfd_open")


class WarmStartError(Exception):
    """A step could not be forked, or whoever watched over it died: run it cold."""


@dataclass(frozen=True, slots=True)
class Forked:
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

    def message(self, imports: Imports) -> bytes:
        """Return the request that the fork server reads."""
        request = {
            "imports": imports.statements,
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
            self._report = _receive(self._control)
        return self._report is not None

    def processes(self) -> Sequence[psutil.Process]:
        """Return the step's processes; the supervisor is not one of them."""
        try:
            return psutil.Process(self._supervisor).children(recursive=True)
        except psutil.Error:
            return []

    def end(self) -> tuple[int, float]:
        """End it if it still runs; return its code as in ``Popen`` and CPU seconds."""
        with self._control as control:
            if self._report is None:
                try:
                    control.sendall(b"stop")
                    control.settimeout(_END_TIMEOUT_S)
                    self._report = _receive(control)
                except OSError as error:
                    raise WarmStartError(f"its supervisor does not answer: {error}") from None
        code = self._report["code"]
        return (-9 if code is None else code), self._report["cpu_seconds"]


class _Server:
    """One process that steps are forked from."""

    def __init__(self, env: Mapping[str, str], folder: Path) -> None:
        # Messages keep their bounds, so that none of them needs a length.
        self._channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "fixbook.recipe.forkserver", str(other.fileno())],
                env=dict(env),
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[other.fileno()],
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def fork(self, message: bytes) -> WarmStep:
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        read, write = os.pipe()
        output = os.fdopen(read, "rb")
        try:
            try:
                socket.send_fds(self._channel, [message], [theirs.fileno(), write])
            finally:
                theirs.close()
                os.close(write)
            control.settimeout(_START_TIMEOUT_S)
            supervisor = _receive(control)["supervisor"]
            control.settimeout(None)
        except (OSError, WarmStartError) as error:
            control.close()
            output.close()
            raise WarmStartError(f"the process it is forked from failed: {error}") from None
        return WarmStep(control, output, supervisor)

    def close(self) -> None:
        """Let it end; steps that run have supervisors of their own and go on."""
        self._channel.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:  # in the middle of an import
            self._process.kill()
            self._process.wait()


class WarmParents:
    """The processes that steps are forked from; safe to use from several threads."""

    def __init__(self, env: Mapping[str, str], most: int = MOST) -> None:
        """Start nothing yet.

        Args:
            env: Environment in which libraries are imported.
            most: How many processes may be kept at a time.
        """
        self._env = env
        self._most = most
        self._lock = threading.Lock()
        self._servers: OrderedDict[frozenset[str], _Server] = OrderedDict()
        self._folder = tempfile.TemporaryDirectory(
            prefix="fixbook-warm-", ignore_cleanup_errors=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            while self._servers:
                self._servers.popitem()[1].close()
        self._folder.cleanup()

    def start(self, forked: Forked, imports: Imports) -> WarmStep:
        """Fork a step from a process that has done its imports.

        Args:
            forked: What to start.
            imports: What must have been imported.

        Returns:
            The running step.

        Raises:
            WarmStartError: It cannot be started so; run it cold.
        """
        message = forked.message(imports)
        server = self._server(imports.libraries)
        try:
            return server.fork(message)
        except WarmStartError:  # it may just have made room for another one
            self._forget(imports.libraries, server)
        server = self._server(imports.libraries)
        try:
            return server.fork(message)
        except WarmStartError:
            self._forget(imports.libraries, server)
            raise

    def pids(self) -> list[int]:
        """Return the process ids, the least recently used first."""
        with self._lock:
            return [server.pid for server in self._servers.values()]

    def _server(self, libraries: frozenset[str]) -> _Server:
        with self._lock:
            server = self._servers.pop(libraries, None)
            if server is None:
                while len(self._servers) >= self._most:
                    self._servers.popitem(last=False)[1].close()
                folder = self._folder.name
                server = _Server({**self._env, "TMPDIR": folder}, Path(folder))
            self._servers[libraries] = server
            return server

    def _forget(self, libraries: frozenset[str], server: _Server) -> None:
        with self._lock:
            if self._servers.get(libraries) is server:
                del self._servers[libraries]
        server.close()


def _receive(control: socket.socket) -> dict[str, Any]:
    """Read one report; the end of the socket means that its other end has died."""
    data = control.recv(_MAX_REPORT)
    if not data:
        raise WarmStartError("no report came")
    report: dict[str, Any] = json.loads(data)
    return report
