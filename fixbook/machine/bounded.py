"""Ask a machine questions that may hang or crash, each in a process of its own with a time limit.

A folder on a dead file server, a name server that does not answer and a broken driver all stop the
process that asks. It is given up then, and what it was asked for is not known.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_MOST_BYTES = 1024 * 1024
_MARK = "unknown"


@dataclass(frozen=True, slots=True)
class Unknown:
    """What could not be found out.

    Attributes:
        kind: ``timeout``, ``denied``, ``crashed`` or ``failed``.
        said: Seconds, or what the system said.
    """

    kind: str
    said: str = ""

    @classmethod
    def of(cls, error: BaseException) -> Unknown:
        """Return why an exception leaves something unknown."""
        if isinstance(error, PermissionError):
            return cls("denied")
        if isinstance(error, subprocess.TimeoutExpired):
            return cls("timeout", f"{round(error.timeout, 1):g}")
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return cls("failed", f"{type(error).__name__}: {said}"[:200])


@dataclass(frozen=True, slots=True)
class Probe:
    """One question.

    Attributes:
        keys: What its answer has, by dotted key; ``None`` is an answer: it is not there.
        ask: Finds it out; returns JSON values, or `Unknown`, by key.
        seconds: Wall-clock limit.
    """

    keys: tuple[str, ...]
    ask: Callable[[], Mapping[str, Any]]
    seconds: float = 10.0


@dataclass(slots=True)
class _Running:
    probe: Probe
    pid: int
    pipe: int
    said: bytes = b""


def ask(probes: Sequence[Probe]) -> dict[str, Any]:
    """Ask all probes side by side.

    Returns:
        Every key of every probe, with its value or `Unknown`.
    """
    found: dict[str, Any] = {}
    running: list[_Running] = []
    for probe in probes:
        if not hasattr(os, "fork"):
            found |= _complete(probe, _asked(probe))
            continue
        try:
            running.append(_start(probe, [one.pipe for one in running]))
        except OSError as error:
            found |= dict.fromkeys(probe.keys, Unknown.of(error))
    started = time.monotonic()  # forking a large process takes seconds itself
    while running:
        now = time.monotonic()
        left = {one.pipe: started + one.probe.seconds - now for one in running}
        ready, _, _ = select.select(list(left), [], [], max(0.0, min(left.values())))
        for one in list(running):
            if one.pipe in ready:
                part = os.read(one.pipe, 65536)
                one.said += part
                if part and len(one.said) <= _MOST_BYTES:
                    continue
                found |= _complete(one.probe, _read(one))
            elif left[one.pipe] <= 0:
                late = Unknown("timeout", f"{one.probe.seconds:g}")
                found |= dict.fromkeys(one.probe.keys, late)
            else:
                continue
            running.remove(one)
            _end(one)
    return found


def _start(probe: Probe, others: Sequence[int]) -> _Running:
    reading, writing = os.pipe()
    try:
        with warnings.catch_warnings():
            # Of threads, which a command has none of; what embeds it may.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        raise
    if pid == 0:
        _child(probe, writing, [reading, *others])
    os.close(writing)
    return _Running(probe, pid, reading)


def _child(probe: Probe, pipe: int, others: Sequence[int]) -> NoReturn:
    """Answer and end, whatever happens; nothing that it calls gets to print."""
    code = 1
    with contextlib.suppress(BaseException):
        os.setsid()  # so that it is ended with everything that it has started
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for other in others:
            os.close(other)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        said = json.dumps(_asked(probe), default=_as_json).encode()
        while said:
            said = said[os.write(pipe, said) :]
        code = 0
    os._exit(code)


def _as_json(value: object) -> dict[str, list[str]]:
    if isinstance(value, Unknown):
        return {_MARK: [value.kind, value.said]}
    raise TypeError(value)


def _asked(probe: Probe) -> Mapping[str, Any]:
    try:
        return probe.ask()
    except Exception as error:  # noqa: BLE001  (of a foreign machine nothing is certain)
        return dict.fromkeys(probe.keys, Unknown.of(error))


def _read(one: _Running) -> Mapping[str, Any]:
    try:
        said = json.loads(one.said)
    except ValueError:
        return dict.fromkeys(one.probe.keys, Unknown("crashed"))
    return {
        key: Unknown(*value[_MARK]) if isinstance(value, dict) else value
        for key, value in said.items()
    }


def _complete(probe: Probe, said: Mapping[str, Any]) -> dict[str, Any]:
    return {**dict.fromkeys(probe.keys, Unknown("failed")), **said}


def _end(one: _Running) -> None:
    os.close(one.pipe)
    with contextlib.suppress(OSError):
        os.killpg(one.pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.kill(one.pid, signal.SIGKILL)
    for _ in range(500):  # one that hangs in the kernel is left to it
        with contextlib.suppress(OSError):
            if os.waitpid(one.pid, os.WNOHANG)[0] == 0:
                time.sleep(0.01)
                continue
        return
