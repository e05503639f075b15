"""What ``--diff`` prints is taken by the programs that people give it to."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from fixbook.cli import cli, run_command
from fixbook.exits import DONE

if TYPE_CHECKING:
    from pathlib import Path

BASE = "# axolotl==0.19.0\nbase_model: a/b\ndatasets:\n  - path: c\nmicro_batch_size: 1\n"
FILES = {
    "config.yaml": BASE + "dataset_processes: 1\n",
    "no newline.yaml": BASE + "dataset_processes: 1",
    "deep/er/crlf.yaml": (BASE + "dataset_processes: 1\nlora_r: 8\n").replace("\n", "\r\n"),
    "mixed.yaml": BASE.replace("\n", "\r\n", 2) + "dataset_processes: 1\n",
    "marked.yaml": "\N{ZERO WIDTH NO-BREAK SPACE}dataset_processes: 1\n" + BASE,
    "名.yaml": BASE + "# 注释\ndataset_processes: 1\nlora_r: 8\n",
    "clean.yaml": BASE + "dataset_num_proc: 1\n",
}
PROGRAMS = [["patch", "-p0", "--binary"], ["git", "apply"], ["git", "apply", "--index"]]


@pytest.mark.parametrize("program", PROGRAMS, ids=" ".join)
def test_diff_is_applied(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    program: list[str],
) -> None:
    if shutil.which(program[0]) is None:
        pytest.skip(f"no {program[0]} here")
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    monkeypatch.chdir(tmp_path)
    for command in (["init", "-q"], ["-c", "core.autocrlf=false", "add", "."]):
        subprocess.run(["git", *command], check=True)
    assert run_command(cli, ["check", "--diff", *FILES]) == DONE
    diff = capfdbinary.readouterr().out
    assert (tmp_path / "config.yaml").read_bytes() == FILES["config.yaml"].encode()
    subprocess.run(program, input=diff, check=True, capture_output=True)
    for name, text in FILES.items():
        wanted = text.replace("dataset_processes", "dataset_num_proc").encode()
        assert (tmp_path / name).read_bytes() == wanted
