"""A probe that hangs, crashes, floods or is refused costs its own answer and nothing else."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from fixbook.machine.bounded import Probe, Unknown, ask
from tests.waiting import ends

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LONG = 60.0  # seconds: no probe that answers takes as long, however busy the machine is
GOOD = Probe(("good",), lambda: {"good": [1, None, "text"]}, LONG)


def _hangs() -> dict[str, Any]:
    time.sleep(600)
    return {}


def _crashes() -> dict[str, Any]:
    faulthandler.disable()  # pytest's would tell of it
    ctypes.string_at(0)
    return {}


def _floods() -> dict[str, Any]:
    return {"bad": "x" * 3_000_000}


def _prints() -> dict[str, Any]:
    os.write(1, b"noise")
    os.write(2, b"noise")
    return {"bad": 1}


def _refused() -> dict[str, Any]:
    raise PermissionError(13, "Permission denied")


def _exits() -> dict[str, Any]:
    raise SystemExit(3)


def _starts_what_hangs() -> Any:
    subprocess.run(["sleep", "60"], timeout=0.1, check=True)


def _returns_no_json() -> dict[str, Any]:
    return {"bad": object()}


@pytest.mark.parametrize(
    ("probe", "answer"),
    [
        (_crashes, Unknown("crashed")),
        (_floods, Unknown("crashed")),
        (_refused, Unknown("denied")),
        (_exits, Unknown("crashed")),
        (_returns_no_json, Unknown("crashed")),
        (lambda: 1 / 0, Unknown("failed", "ZeroDivisionError: division by zero")),
        (dict, Unknown("failed")),
        (lambda: {"bad": Unknown("failed", "no such field")}, Unknown("failed", "no such field")),
    ],
)
def test_only_its_own_answer_is_lost(probe: Callable[[], Any], answer: Unknown) -> None:
    asked = [GOOD, Probe(("bad",), probe, LONG), GOOD]
    assert ask(asked) == {"good": [1, None, "text"], "bad": answer}


@pytest.mark.parametrize(
    ("probe", "seconds", "limit"), [(_hangs, 1, "1"), (_starts_what_hangs, LONG, "0.1")]
)
def test_what_hangs_is_given_up(probe: Callable[[], Any], seconds: float, limit: str) -> None:
    """The first by its own limit, the second by that of the program it starts."""
    asked = [GOOD, Probe(("bad",), probe, seconds), GOOD]
    assert ask(asked) == {"good": [1, None, "text"], "bad": Unknown("timeout", limit)}


def test_probes_print_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert ask([Probe(("bad",), _prints, LONG)]) == {"bad": 1}
    assert capfd.readouterr() == ("", "")


def test_what_a_late_probe_has_started_ends_with_it(tmp_path: Path) -> None:
    pid = tmp_path / "pid"

    def starts() -> dict[str, Any]:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        pid.write_text(str(child.pid), "utf-8")
        child.wait()
        return {}

    assert ask([Probe(("bad",), starts, 5)]) == {"bad": Unknown("timeout", "5")}
    started = int(pid.read_text("utf-8"))
    assert ends(started, LONG)


def test_no_process_is_left() -> None:
    before = {child.pid for child in psutil.Process().children()}
    ask([GOOD, Probe(("bad",), _hangs, 1)])
    assert {child.pid for child in psutil.Process().children()} <= before


def test_without_processes_of_their_own_they_are_asked_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "fork")
    assert ask([GOOD, Probe(("bad",), _refused)]) == {
        "good": [1, None, "text"],
        "bad": Unknown("denied"),
    }


def test_a_machine_that_starts_no_process_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refused)
    said = Unknown("failed", "BlockingIOError: Resource temporarily unavailable")
    assert ask([GOOD]) == {"good": said}
