"""What NVIDIA's library says of a run's GPUs: memory of its processes, ECC errors, Xid events.

It is asked in a thread, as a driver that hangs must not stop who passes on signals. Without the
library nothing is asked.
"""

from __future__ import annotations

import ctypes
import threading
from dataclasses import dataclass, field
from typing import Any

LIBRARY = "libnvidia-ml.so.1"
_MIB = 1024 * 1024
_MOST_GPUS, _MOST_PROCESSES, _MOST_EVENTS = 64, 256, 32
_UNCORRECTED, _SINCE_LOADED, _XID = 1, 0, 8
_UNKNOWN_MEMORY = 2**64 - 1


class _Used(ctypes.Structure):
    _fields_ = (
        ("pid", ctypes.c_uint),
        ("bytes", ctypes.c_ulonglong),
        ("instance", ctypes.c_uint),
        ("compute", ctypes.c_uint),
    )


class _Event(ctypes.Structure):
    _fields_ = (
        ("device", ctypes.c_void_p),
        ("kind", ctypes.c_ulonglong),
        ("data", ctypes.c_ulonglong),
        ("instance", ctypes.c_uint),
        ("compute", ctypes.c_uint),
    )


@dataclass(slots=True)
class Gpus:
    """Looks at the GPUs of this machine.

    Attributes:
        used: Most MiB that a process had on a GPU.
        ecc: Uncorrected errors that a GPU has counted since we began.
        xids: GPU and number of each Xid event, in order.
    """

    used: dict[tuple[int, int], int] = field(default_factory=dict)
    ecc: dict[int, int] = field(default_factory=dict)
    xids: list[tuple[int, int]] = field(default_factory=list)
    _nvml: Any = None
    _devices: list[ctypes.c_void_p] = field(default_factory=list)
    _first: dict[int, int] = field(default_factory=dict)
    _events: Any = None

    def begin(self) -> bool:
        """Load the library; False where there is none, or no driver."""
        try:
            self._nvml = ctypes.CDLL(LIBRARY)
            count = ctypes.c_uint()
            if self._nvml.nvmlInit_v2() or self._nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)):
                return False
            for number in range(min(count.value, _MOST_GPUS)):
                device = ctypes.c_void_p()
                if self._nvml.nvmlDeviceGetHandleByIndex_v2(number, ctypes.byref(device)):
                    return False
                self._devices.append(device)
        except (OSError, AttributeError):
            return False
        self._first = {at: errors for at in range(len(self._devices)) if (errors := self._ecc(at))}
        self._listen()
        return bool(self._devices)

    def look(self, pids: frozenset[int]) -> None:
        """Take note of what they use now, and of what has happened."""
        for gpu in range(len(self._devices)):
            for one in self._running(gpu):
                if one.pid in pids and one.bytes != _UNKNOWN_MEMORY:
                    key = (one.pid, gpu)
                    self.used[key] = max(self.used.get(key, 0), one.bytes // _MIB)
            grown = self._ecc(gpu) - self._first.get(gpu, 0)
            if grown > 0:
                self.ecc[gpu] = grown
        event = _Event()
        while self._events is not None and len(self.xids) < _MOST_EVENTS:
            if self._nvml.nvmlEventSetWait_v2(self._events, ctypes.byref(event), 0):
                break
            gpu = next((at for at, d in enumerate(self._devices) if d.value == event.device), -1)
            self.xids.append((gpu, event.data))

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        used = [{"pid": pid, "gpu": gpu, "mib": mib} for (pid, gpu), mib in self.used.items()]
        xids = [{"gpu": gpu, "xid": number} for gpu, number in self.xids]
        return {"memory": used, "ecc": {str(gpu): n for gpu, n in self.ecc.items()}, "xids": xids}

    def _running(self, gpu: int) -> list[_Used]:
        ask = getattr(self._nvml, "nvmlDeviceGetComputeRunningProcesses_v3", None)
        count, held = ctypes.c_uint(_MOST_PROCESSES), (_Used * _MOST_PROCESSES)()
        if ask is None or ask(self._devices[gpu], ctypes.byref(count), held):
            return []
        return list(held[: count.value])

    def _ecc(self, gpu: int) -> int:
        ask = getattr(self._nvml, "nvmlDeviceGetTotalEccErrors", None)
        count = ctypes.c_ulonglong()
        if ask is None:
            return 0
        failed = ask(self._devices[gpu], _UNCORRECTED, _SINCE_LOADED, ctypes.byref(count))
        return 0 if failed else count.value

    def _listen(self) -> None:
        try:
            events = ctypes.c_void_p()
            if self._nvml.nvmlEventSetCreate(ctypes.byref(events)):
                return
            for device in self._devices:
                self._nvml.nvmlDeviceRegisterEvents(device, ctypes.c_ulonglong(_XID), events)
            _ = self._nvml.nvmlEventSetWait_v2
            self._events = events
        except AttributeError:
            return


class Beside:
    """Looks at GPUs in a thread of its own."""

    def __init__(self, every: float) -> None:
        """Prepare.

        Args:
            every: Seconds between two looks.
        """
        self.seen = Gpus()
        self.pids: frozenset[int] = frozenset()
        self._every = every
        self._enough = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Start, if there is the library at all."""
        try:
            ctypes.CDLL(LIBRARY)
        except OSError:
            return
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def end(self, seconds: float = 2.0) -> dict[str, Any] | None:
        """Look once more; return what was seen, or None without GPUs."""
        self._enough.set()
        if self._thread is not None:
            self._thread.join(seconds)
        return self.seen.plain() if self._thread is not None else None

    def _run(self) -> None:
        if not self.seen.begin():
            return
        while True:
            ended = self._enough.wait(self._every)
            self.seen.look(self.pids)
            if ended:
                return
