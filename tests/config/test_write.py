"""A file is replaced whole or not at all, and everything about it but the fix stays as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fixbook.cli import cli, run_command
from fixbook.config.errors import ConfigError
from fixbook.config.read import read_file
from fixbook.config.write import with_line_ends_of, write
from fixbook.exits import DONE, UNUSABLE

ROOT = Path(__file__).parents[2]
WRONG = (
    "# axolotl==0.19.0\nbase_model: a/b\ndataset_processes: 1\ndatasets:\n- path: c\n"
    "micro_batch_size: 1\n"
)
RIGHT = WRONG.replace("dataset_processes", "dataset_num_proc")


def check(*arguments: object) -> int:
    return run_command(cli, ["check", "--lang", "en", "--fix", *map(str, arguments)])


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.yaml"
    path.write_text(WRONG, "utf-8")
    return path


@pytest.mark.parametrize(
    ("raw", "text", "wanted"),
    [
        ("a\nb\n", "a\nc\n", "a\nc\n"),
        ("a\r\nb\r\n", "a\nc\nb\n", "a\r\nc\r\nb\r\n"),
        ("a\r\nb\nc\r\nd", "a\nB\nc\nd", "a\r\nB\nc\r\nd"),
        ("a\nb\r\nc\nd\r\n", "a\nB\nc\nd\ne\n", "a\nB\r\nc\nd\r\ne\r\n"),
        ("a\nb\r\nc\n", "a\nc\n", "a\nc\n"),
        ("a\r\nb\nc", "x\na\nb\nc", "x\r\na\r\nb\nc"),
    ],
)
def test_each_line_keeps_its_end(raw: str, text: str, wanted: str) -> None:
    assert with_line_ends_of(raw, text) == wanted


@pytest.mark.parametrize("mark", ["", "\N{ZERO WIDTH NO-BREAK SPACE}"])
@pytest.mark.parametrize("final", ["\n", "\r\n", ""])
def test_mixed_line_ends_and_byte_order_mark_stay(config: Path, mark: str, final: str) -> None:
    lines = WRONG.rstrip("\n").split("\n")
    raw = mark + "\r\n".join(lines[:3]) + "\n" + "\n".join(lines[3:]) + final
    config.write_bytes(raw.encode())
    assert check(config) == DONE
    assert config.read_bytes() == raw.replace("dataset_processes", "dataset_num_proc").encode()


def test_files_behind_one_that_cannot_be_fixed_are_fixed(config: Path) -> None:
    first, second = config.with_name("a.yaml"), config.with_name("b.yaml")
    first.write_text(WRONG.replace("dataset_processes: 1", "dataset_processes: &x 1"), "utf-8")
    os.link(first, first.with_name("other"))
    second.write_text(WRONG + "...", "utf-8")
    assert check(first, second, config) == UNUSABLE
    assert second.read_text("utf-8") == RIGHT + "..."
    assert config.read_text("utf-8") == RIGHT


def test_hard_link_is_refused(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.link(config, config.with_name("other.yaml"))
    assert check(config) == UNUSABLE
    assert "has 2 hard links and was not changed" in capsys.readouterr().err
    assert config.read_text("utf-8") == WRONG


def test_file_that_has_changed_meanwhile_is_not_written(config: Path) -> None:
    document = read_file(config)
    config.write_text("base_model: other\n", "utf-8")
    with pytest.raises(ConfigError, match="was changed while it was being checked"):
        write(document, RIGHT)
    assert config.read_text("utf-8") == "base_model: other\n"


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes here")
def test_extended_attributes_stay(config: Path) -> None:
    try:
        os.setxattr(config, "user.note", b"mine")
    except OSError as error:
        pytest.skip(f"the file system keeps none: {error.strerror}")
    assert check(config) == DONE
    assert config.read_text("utf-8") == RIGHT
    assert os.getxattr(config, "user.note") == b"mine"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_owner_stays(config: Path) -> None:
    os.chown(config, 12345, 23456)
    config.chmod(0o664)
    assert check(config) == DONE
    status = config.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (12345, 23456, 0o664)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_file_of_another_user_is_refused(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def not_permitted(*_: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    os.chown(config, 12345, 23456)
    monkeypatch.setattr(os, "fchown", not_permitted)
    assert check(config) == UNUSABLE
    assert "belongs to another user or group and was not changed" in capsys.readouterr().err
    assert [path.name for path in config.parent.iterdir()] == [config.name]
    assert config.read_text("utf-8") == WRONG


def test_limit_on_file_size_leaves_the_old_file_and_no_other(config: Path) -> None:
    text = WRONG + "# long\n" * 1000
    config.write_text(text, "utf-8")
    done = python(
        "import resource, sys\nresource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "from fixbook.cli import cli, run_command\n"
        f"sys.exit(run_command(cli, ['check', '--lang', 'en', '--fix', {str(config)!r}]))\n"
    )
    assert done.returncode == UNUSABLE
    assert "cannot be written: File too large; nothing was changed" in done.stderr
    assert config.read_text("utf-8") == text
    assert [path.name for path in config.parent.iterdir()] == [config.name]


def test_killed_while_writing_the_file_is_old_or_new(config: Path) -> None:
    old, new = (WRONG + f"# {word}\n" * 30_000 for word in ("old", "new"))
    config.write_text(old, "utf-8")
    program = (
        "from pathlib import Path\nfrom fixbook.config.setting import ConfigDocument\n"
        "from fixbook.config.write import write\n"
        f"path = Path({str(config)!r})\nprint('ready', flush=True)\nwhile True:\n"
        "    text = path.read_text('utf-8')\n"
        "    new = text.replace('# old', '#_').replace('# new', '# old').replace('#_', '# new')\n"
        "    write(ConfigDocument(path, 'yaml', text), new)\n"
    )
    for pause in (0.0, 0.003, 0.01, 0.02, 0.05):
        with subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=ROOT
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(pause)
            process.send_signal(signal.SIGKILL)
        assert config.read_text("utf-8") in {old, new}


def test_interrupted_while_writing_leaves_no_second_file(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(read_file(config), RIGHT)
    assert config.read_text("utf-8") == WRONG
    assert [path.name for path in config.parent.iterdir()] == [config.name]


def test_file_without_findings_is_not_touched(config: Path) -> None:
    config.write_bytes(RIGHT.replace("\n", "\r\n").encode())
    before = config.stat()
    assert check(config) == DONE
    after = config.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_fix_that_cannot_be_made_says_why(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = WRONG.replace("dataset_processes", "&k dataset_processes")
    config.write_text(text, "utf-8")
    assert check(config) == DONE
    assert "carries an anchor" in capsys.readouterr().out
    assert config.read_text("utf-8") == text


def python(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )
