"""What is pressed on the terminal of a watched command: Ctrl-C, Ctrl-Z."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

from tests.waiting import text_of
from tests.watched import Terminal, watched

if TYPE_CHECKING:
    from pathlib import Path

PY = sys.executable


def _catches(path: Path) -> str:
    return (
        "import signal, pathlib, sys\n"
        f"file = pathlib.Path({str(path)!r})\n"
        "count = 0\n"
        "def told(*_):\n"
        "    global count\n"
        "    count += 1\n"
        "    file.write_text(str(count))\n"
        "signal.signal(signal.SIGINT, told)\n"
        "print('ready', flush=True)\n"
        "while sys.stdin.readline().strip() != 'end': pass\n"
        "print('count', count, flush=True)\n"
    )


def test_ctrl_c_arrives_once(tmp_path: Path) -> None:
    told = tmp_path / "told"
    terminal = Terminal(watched(tmp_path / "run", [PY, "-c", _catches(told)]))
    terminal.until(lambda printed: b"ready" in printed)
    terminal.press(b"\x03")
    assert text_of(told) == "1"
    terminal.press(b"end\n")
    assert terminal.end() == 0
    assert b"count 1" in terminal.printed


def test_ctrl_c_ends_what_does_not_catch_it(tmp_path: Path) -> None:
    terminal = Terminal(watched(tmp_path / "run", ["sh", "-c", "echo ready; exec sleep 1000"]))
    terminal.until(lambda printed: b"ready" in printed)
    terminal.press(b"\x03")
    assert terminal.end() == -signal.SIGINT


def test_ctrl_z_stops_both_and_fg_goes_on(tmp_path: Path) -> None:
    words = watched(tmp_path / "run", ["sh", "-c", "echo ready; read line; echo got $line; exit 8"])
    terminal = Terminal(["bash", "--norc", "--noprofile", "-i"])
    terminal.press(b"PS1='$ '; " + " ".join(map(_quoted, words)).encode() + b"\n")
    terminal.until(lambda printed: b"\rready" in printed)
    terminal.press(b"\x1a")
    terminal.until(lambda printed: b"Stopped" in printed)
    terminal.press(b"fg\n")
    terminal.until(lambda printed: printed.count(b"echo got $line") > 3)
    terminal.press(b"this\n")
    terminal.until(lambda printed: b"got this" in printed)
    terminal.press(b"echo code $?; exit\n")
    terminal.end()
    assert b"code 8" in terminal.printed


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
