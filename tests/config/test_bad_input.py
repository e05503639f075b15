"""Bad input gets a clear message, and nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fixbook.cli import cli, run_command
from fixbook.exits import DONE, FAILED, UNUSABLE

if TYPE_CHECKING:
    from pathlib import Path

BASE = (
    "# axolotl==0.19.0\nbase_model: a/b\ndatasets:\n  - path: c\n    type: alpaca\n"
    "micro_batch_size: 1\n"
)
WRONG = BASE + "dataset_processes: 2\n"


def check(*arguments: object) -> int:
    return run_command(cli, ["check", "--lang", "en", *map(str, arguments)])


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.yaml"
    path.write_text(WRONG, "utf-8")
    return path


def levels(count: int, width: int) -> str:
    lines = ["a0: &a0 {x: 1}"]
    for level in range(1, count + 1):
        row = ", ".join([f"*a{level - 1}"] * width)
        lines.append(f"a{level}: &a{level} [{row}]")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("c.yaml", "just: [a, b\n", "is not valid YAML"),
        ("c.yaml", "plain text", "holds no settings"),
        ("c.yaml", "", "holds no settings"),
        ("c.yaml", "a: 1\n---\nb: 2\n", "two YAML documents"),
        ("c.yaml", levels(10, 9), "once its aliases are followed"),
        ("c.yaml", "a: &a\n  b: *a\n", "too many levels"),
        ("c.yaml", "base_model: x\n\tdatasets: y\n", "has a tab"),
        ("c.yaml", "a: !!python/object/apply:os.system ['echo']\n", "holds no settings"),
        ("c.yaml", "a: !run echo\n", "uses the tag"),
        ("c.json", '{"a": 1,}', "is not valid JSON"),
        ("c.json", "[1]", "holds no settings"),
        ("c.json", "[" * 100_000, "is nested too deeply"),
        ("c.py", "def f(:\n", "is not valid Python"),
        ("c.yaml", "a: \0\n", "holds binary data"),
    ],
)
def test_file_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    assert check("--fix", path) == UNUSABLE
    if "python/object" not in text:
        assert message in capsys.readouterr().err
    assert path.read_text("utf-8") == text


def test_hundred_megabytes_are_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def read(self: Path) -> bytes:
        pytest.fail(f"{self} was read")

    path = tmp_path / "big.yaml"
    with path.open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    monkeypatch.setattr(type(path), "read_bytes", read)
    assert check(path) == UNUSABLE
    assert "at most 1,048,576 are read" in capsys.readouterr().err


def test_anchors_ten_levels_deep_are_followed(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(
        BASE + "notes:\n  " + levels(10, 1).replace("\n", "\n  ").rstrip() + "\n", "utf-8"
    )
    assert check("--tool", "axolotl", path) == FAILED  # `notes` is not a key


def test_not_utf_8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.yaml"
    path.write_bytes("名: 值".encode("gb18030"))
    assert check(path) == UNUSABLE
    assert "is not UTF-8" in capsys.readouterr().err


def test_missing_file_and_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path / "none.yaml", tmp_path) == UNUSABLE
    assert "does not exist" in (said := capsys.readouterr().err)
    assert "0 files checked" in said


def test_byte_order_mark_and_line_ends_stay(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + WRONG.replace("\n", "\r\n").encode())
    assert check("--fix", path) == DONE
    right = WRONG.replace("dataset_processes", "dataset_num_proc").replace("\n", "\r\n").encode()
    assert path.read_bytes() == b"\xef\xbb\xbf" + right


def test_symbolic_link_is_read_and_not_replaced(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "link.yaml"
    link.symlink_to(config)
    assert check(link) == DONE
    capsys.readouterr()
    assert check("--fix", link) == UNUSABLE
    assert "is a symbolic link and was not changed" in capsys.readouterr().err
    assert link.is_symlink()
    assert config.read_text("utf-8") == WRONG


def test_read_only_file_is_not_replaced(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.chmod(0o444)
    assert check("--fix", config) == UNUSABLE
    assert "is read-only and was not changed" in capsys.readouterr().err
    assert config.read_text("utf-8") == WRONG


def test_mode_of_the_file_stays(config: Path) -> None:
    config.chmod(0o640)
    assert check("--fix", config) == DONE
    assert config.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in config.parent.iterdir()] == [config.name]


def test_python_file_is_never_run(tmp_path: Path) -> None:
    path, trace = tmp_path / "train.py", tmp_path / "ran"
    path.write_text(
        f"open({str(trace)!r}, 'w').close()\nfrom transformers import TrainingArguments\n"
        "# transformers==5.23.0\na = TrainingArguments("
        "output_dir='x', evaluation_strategy='steps', seed=print('no') or 1)\n",
        "utf-8",
    )
    assert check("--fix", path) == DONE
    assert not trace.exists()
    assert "eval_strategy='steps'" in path.read_text("utf-8")
