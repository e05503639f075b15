"""Lists of packages, in every form that is read, and what is no list."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from fixbook.installed.formats import read_inventory
from fixbook.installed.inventory import MOST_BYTES, InventoryError, environment_of, this_environment

if TYPE_CHECKING:
    from pathlib import Path

REQUIREMENTS = """\
# what trains
--extra-index-url https://download.pytorch.org/whl/cu128
torch==2.8.0+cu128
Transformers[torch] == 4.51.3 ; python_version > "3.9"   # the last of its time
peft>=0.15
trl==0.17.*
deepspeed==0.16.5 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
flash-attn @ https://example.org/flash_attn-2.7.4%2Bcu12-cp311-cp311-linux_x86_64.whl#sha256=1
axolotl @ git+https://example.org/axolotl@main
# Editable install with no version control (accelerate==1.6.0)
-e /home/me/accelerate
https://example.org/xformers-0.0.30-cp311-cp311-linux_x86_64.whl
-r more.txt
this is no requirement
vllm==nightly
"""
UV = """\
version = 1

[[package]]
name = "torch"
version = "2.8.0"

[[package]]
name = "torch"
version = "2.8.0+cu128"

[[package]]
name = "mine"
source = { editable = "." }
"""


def found(path: Path, text: str | bytes) -> dict[str, list[str]]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    by_name: dict[str, list[str]] = {}
    for row in read_inventory(str(path)).found:
        by_name.setdefault(row.name, []).append(row.release)
    return by_name


def test_requirements(tmp_path: Path) -> None:
    path = tmp_path / "requirements.txt"
    assert found(path, REQUIREMENTS) == {
        "torch": ["2.8.0+cu128"],
        "transformers": ["4.51.3"],
        "deepspeed": ["0.16.5"],
        "flash-attn": ["2.7.4+cu12"],
        "accelerate": ["1.6.0"],
        "xformers": ["0.0.30"],
    }
    inventory = read_inventory(str(path))
    assert set(inventory.open) == {"peft", "trl", "axolotl"}
    lines = {row.name: row.line for row in inventory.found}
    assert lines["torch"] == 3
    assert lines["deepspeed"] == 7
    assert lines["flash-attn"] == 10


def test_what_powershell_writes(tmp_path: Path) -> None:
    text = "torch==2.8.0\r\npeft==0.15.2\r\n"
    expected = {"torch": ["2.8.0"], "peft": ["0.15.2"]}
    assert found(tmp_path / "a.txt", text.encode("utf-16")) == expected
    assert found(tmp_path / "b.txt", "\ufeff" + text) == expected


def test_pip_list(tmp_path: Path) -> None:
    table = "Package Version Editable project location\n------- -------\ntorch   2.8.0\n"
    table += "trl     0.17.0   /home/me/trl\nodd     unknown\n"
    assert found(tmp_path / "table", table) == {"torch": ["2.8.0"], "trl": ["0.17.0"]}
    rows = [{"name": "Torch", "version": "2.8.0"}, {"name": "odd", "version": "?"}, {"name": 1}, 2]
    assert found(tmp_path / "list.json", json.dumps(rows)) == {"torch": ["2.8.0"]}


def test_locks(tmp_path: Path) -> None:
    path = tmp_path / "uv.lock"
    assert found(path, UV) == {"torch": ["2.8.0", "2.8.0+cu128"]}
    inventory = read_inventory(str(path))
    assert [row.line for row in inventory.found] == [4, 8]
    assert set(inventory.open) == {"mine"}
    pylock = 'lock-version = "1.0"\n[[packages]]\nname = "peft"\nversion = "0.15.2"\n'
    assert found(tmp_path / "pylock.toml", pylock) == {"peft": ["0.15.2"]}
    pipenv = {"default": {"trl": {"version": "==0.17.0"}, "mine": {"path": "."}}, "develop": {}}
    assert found(tmp_path / "Pipfile.lock", json.dumps(pipenv)) == {"trl": ["0.17.0"]}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "names no package"),
        (b"\n# nothing\n", "names no package"),
        (b"\x7fELF\x00\x01", "holds binary data"),
        (b"torch==2.8.0\xff", "no text in UTF-8"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"default": [1]}', "names no package"),
        (b"[[package]]\nname = \n", "not valid TOML"),
        (b"[[package]]\nname = 3\n", "names no package"),
        (b"package = 3\n[[packages]]\n", "names no package"),
    ],
)
def test_what_is_no_list(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "list"
    path.write_bytes(content)
    with pytest.raises(InventoryError, match=said):
        read_inventory(str(path))


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, said in (
        (tmp_path, "is not a file"),
        (tmp_path / "pipe", "is not a file"),
        (tmp_path / "absent", "cannot be read"),
    ):
        with pytest.raises(InventoryError, match=said):
            read_inventory(str(path))
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(InventoryError, match="is over 16 MiB"):
        read_inventory(str(large))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"torch==2.8.0\n"))
    monkeypatch.setattr(sys, "stdin", stream)
    assert [row.name for row in read_inventory("-").found] == ["torch"]


def test_an_interpreter_lists_its_own_packages(tmp_path: Path) -> None:
    here = {row.name: row.release for row in this_environment().found}
    assert "click" in here
    assert {row.name: row.release for row in environment_of(sys.executable).found} == here
    for name in (str(tmp_path / "python"), "false"):
        with pytest.raises(InventoryError, match=r"name the Python that trains"):
            environment_of(name)
