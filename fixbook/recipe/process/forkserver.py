"""Import large libraries once and fork the steps that need them.

Started as ``python -m fixbook.recipe.process.forkserver DESCRIPTOR FOLDER``. Requests come over
the Unix socket with that descriptor, each with two descriptors of its own: a socket to talk about
the step and the pipe that takes its output. One without them asks for imports alone. The process
ends when the socket is closed at the other end, and then removes the folder, which was made for it.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.recipe.process.supervisor import supervise
from fixbook.recipe.process.warm_step import FOLDER_PREFIX, MAX_REQUEST

if TYPE_CHECKING:
    from collections.abc import Sequence


def serve(channel: socket.socket) -> None:
    """Answer requests until the other end is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors report for themselves
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the caller decides what Ctrl-C means
    done: set[str] = set()
    own = dict(os.environ)
    while True:
        data, descriptors, _, _ = socket.recv_fds(channel, MAX_REQUEST, 2)
        if not data:
            return
        request = json.loads(data)
        if not descriptors:
            _import_new(request["imports"], done)
            continue
        control, output = socket.socket(fileno=descriptors[0]), descriptors[1]
        _import_new(request["imports"], done)
        # What an import has put into the environment, it would have put there in a fresh process.
        request["env"] = _changes(own) | request["env"]
        if os.fork() == 0:
            channel.close()
            for number in (1, 2):
                os.dup2(output, number)
            os.close(output)
            supervise(control, request)
        control.close()
        os.close(output)
        _import_new(request["later"], done)


def _import_new(statements: Sequence[str], done: set[str]) -> None:
    """Execute those of some imports that have not been executed, and note them.

    What they make stays, so that looking for garbage meanwhile would take a sixth of the time.
    """
    gc.disable()
    for statement in statements:
        if statement not in done:
            _import(statement)
            done.add(statement)
    gc.freeze()  # no collection in a child looks at these objects, nor copies their pages
    gc.enable()


def _import(statement: str) -> None:
    """Execute one import; one that fails will fail in the step, where it is seen."""
    try:
        exec(statement, {})  # noqa: S102  (read from the recipe that is about to run)
    except BaseException:  # noqa: BLE001  (whatever an import may raise, SystemExit too)
        return


def _changes(before: dict[str, str]) -> dict[str, Any]:
    return {name: value for name, value in os.environ.items() if before.get(name) != value}


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
    if Path(sys.argv[2]).name.startswith(FOLDER_PREFIX):
        shutil.rmtree(sys.argv[2], ignore_errors=True)
    os._exit(0)  # taking modules down takes a second
