"""Keep processes that have imported large libraries, and start steps by forking them.

There is one such process per set of libraries (see `imports`) and environment, which names other
versions of them, and only a few at a time: the one unused for longest makes room. Each ends with
the process that uses it, however that ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Self

from fixbook.recipe.process.warm_step import (
    FOLDER_PREFIX,
    ForkRequest,
    WarmStartError,
    WarmStep,
    receive,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fixbook.recipe.reading.imports import Imports

_Key = tuple[frozenset[str], frozenset[tuple[str, str]]]  # libraries, environment
MOST = 3
_START_TIMEOUT_S = 300  # its imports included, on a busy machine
# Fork without exec is sound only where libraries are known to bear it, and prctl is Linux's.
SUPPORTED = sys.platform == "linux" and hasattr(os, "pidfd_open")


class _Server:
    """One process that steps are forked from."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._asked = False
        self._folder = tempfile.mkdtemp(prefix=FOLDER_PREFIX)  # the process removes it
        # Messages keep their bounds, so that none of them needs a length.
        self._channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            module = "fixbook.recipe.process.forkserver"
            self._process = subprocess.Popen(
                [sys.executable, "-m", module, str(other.fileno()), self._folder],
                env={**env, "TMPDIR": self._folder},
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[other.fileno()],
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def begin(self, statements: Sequence[str]) -> None:
        """Ask for imports that a step will need; one that is not heard is asked for again."""
        with contextlib.suppress(OSError):
            self._channel.sendall(json.dumps({"imports": statements}).encode())

    def fork(self, message: bytes) -> WarmStep:
        self._asked = True
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
            supervisor = receive(control)["supervisor"]
            control.settimeout(None)
        except (OSError, WarmStartError) as error:
            control.close()
            output.close()
            raise WarmStartError(f"the process it is forked from failed: {error}") from None
        return WarmStep(control, output, supervisor)

    def close(self) -> None:
        """Let it end; steps that run have supervisors of their own and go on."""
        self._channel.close()
        if not self._asked:  # its imports are for nothing, and whoever waits is told why at once
            self._process.kill()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:  # in the middle of an import
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)  # if it was killed


class WarmParents:
    """The processes that steps are forked from; safe to use from several threads."""

    def __init__(self, most: int = MOST, *, hurry: bool = False) -> None:
        """Start nothing yet.

        Args:
            most: How many processes may be kept at a time.
            hurry: Start the first step of a process with the imports alone that its file executes;
                what the others need is imported while it runs.
        """
        self._most = most
        self._hurry = hurry
        self._lock = threading.Lock()
        self._servers: OrderedDict[_Key, _Server] = OrderedDict()
        self._begun: set[_Key] = set()  # no step has been forked from these yet

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            while self._servers:
                self._servers.popitem()[1].close()

    def begin(self, imports: Imports, env: Mapping[str, str]) -> None:
        """Start a process, and let it import what its first step will need at once.

        Args:
            imports: What a step of it will ask for.
            env: Environment in which it must have been imported.
        """
        key = imports.libraries, frozenset(env.items())
        server, new = self._server(key)
        if new:
            self._begun.add(key)
            server.begin(imports.early)

    def start(self, forked: ForkRequest, imports: Imports, env: Mapping[str, str]) -> WarmStep:
        """Fork a step from a process that has done its imports.

        Args:
            forked: What to start.
            imports: What must have been imported.
            env: Environment in which it must have been.

        Returns:
            The running step.

        Raises:
            WarmStartError: It cannot be started so; run it cold.
        """
        key = imports.libraries, frozenset(env.items())
        message = forked.message(imports.statements)
        hurried = forked.message(imports.early, imports.statements)
        server, new = self._server(key)
        with self._lock:
            new = new or key in self._begun
            self._begun.discard(key)
        if new and self._hurry:
            message = hurried
        try:
            return server.fork(message)
        except WarmStartError:  # it may just have made room for another one
            self._forget(key, server)
        server, _new = self._server(key)
        try:
            return server.fork(message)
        except WarmStartError:
            self._forget(key, server)
            raise

    def pids(self) -> list[int]:
        """Return the process ids, the least recently used first."""
        with self._lock:
            return [server.pid for server in self._servers.values()]

    def _server(self, key: _Key) -> tuple[_Server, bool]:
        with self._lock:
            server = self._servers.pop(key, None)
            new = server is None
            if server is None:
                while len(self._servers) >= self._most:
                    self._servers.popitem(last=False)[1].close()
                server = _Server(dict(key[1]))
            self._servers[key] = server
            return server, new

    def _forget(self, key: _Key, server: _Server) -> None:
        with self._lock:
            if self._servers.get(key) is server:
                del self._servers[key]
        server.close()
