"""A tool that is imported once answers each question as if it had just been started."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.config.proofs_in_overlays import HERE

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import sys

asked = []


def warm():
    print("imported")
    asked.append("warm")


def main():
    asked.extend(sys.argv[1:])
    print(asked)
    if "bad" in asked:
        raise SystemExit("refused")
    if "worse" in asked:
        import os, signal

        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_no_answer_knows_of_another(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    questions = [["a"], ["bad"], ["worse"], ["b", "c"]]
    done = subprocess.run(
        [sys.executable, str(HERE / "ask_warm.py"), str(tmp_path / "program.py")],
        input="".join(json.dumps(words) + "\n" for words in questions),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    first, bad, worse, last = map(json.loads, done.stdout.splitlines())
    assert first == [0, "['warm', 'a']\n", ""]
    assert bad[:2] == [1, "['warm', 'bad']\n"]
    assert "SystemExit: refused" in bad[2]
    assert worse[0] == -9
    assert last == [0, "['warm', 'b', 'c']\n", ""]
    assert done.stderr == "imported\n"
