"""Ask a tool again and again, each time in a process forked from one that has imported it.

Usage: python ask_warm.py PROGRAM; reads lines of JSON, the words for the program, and prints one
for each: its exit code, what it printed, and what it said besides. The program's ``warm`` imports
what its ``main`` needs, which takes seconds; what ``main`` changes is lost with its process.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
import tempfile
import traceback
from typing import IO, TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_S = 300  # for the imports, and for each question


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever libraries print as they are imported is no answer
    program = runpy.run_path(sys.argv[1], run_name="asked")
    signal.alarm(_LONGEST_S)
    program["warm"]()
    signal.alarm(0)
    for line in sys.stdin:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            if not (pid := os.fork()):
                _run(program["main"], json.loads(line), out, err)
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            said = [_text(out), _text(err)]
        answers.write(json.dumps([code, *said]) + "\n")
        answers.flush()


def _run(asked: Callable[[], None], words: list[str], out: IO[bytes], err: IO[bytes]) -> NoReturn:
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.alarm(_LONGEST_S)
    sys.argv[1:] = words
    code = 1
    try:
        asked()
        code = 0
    except BaseException:  # noqa: BLE001  (whatever it is, it is told)
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _text(said: IO[bytes]) -> str:
    said.seek(0)
    return said.read().decode("utf-8", "replace")


main()
