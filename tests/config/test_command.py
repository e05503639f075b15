"""The command: formats, exit codes, languages, speed."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from fixbook.cli import cli, run_command
from fixbook.exits import DONE, FAILED, UNUSABLE

ROOT = Path(__file__).parents[2]
BASE = (
    "# axolotl==0.19.0\nbase_model: a/b\ndatasets:\n  - path: c\n    type: alpaca\n"
    "micro_batch_size: 1\n"
)


def check(*arguments: object) -> int:
    return run_command(cli, ["check", *map(str, arguments)])


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.yaml"
    path.write_text(BASE + "sequence_length: 2048\nload_in_4bit: true\n", "utf-8")
    return path


def test_everything_is_reported_at_once(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check("--json", config) == FAILED
    rows = json.loads(capsys.readouterr().out)["findings"]
    assert [(row["rule"], row["line"], row["column"]) for row in rows] == [
        ("axolotl-sequence-length", 7, 1),
        ("axolotl-4bit-without-adapter", 8, 1),
    ]
    assert rows[0]["entry"] == "oom-activations-and-logits"
    assert "+sequence_len: 2048" in rows[0]["diff"]
    assert set(rows[0]["message"]) == {"zh", "en"}


def test_clean_file_is_never_called_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(BASE, "utf-8")
    assert check("--lang", "en", path) == DONE
    said = capsys.readouterr().err
    assert "axolotl 0.19.0: no known-bad combination found (" in said
    assert "rules; what this cannot see:" in said
    assert check("--lang", "zh", path) == DONE
    assert "没有发现已知会出错的组合" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("version", "beside", "said"),
    [
        (None, "", ["5.23.0 (the newest known, none is named):", "5.23.0（没有写明版本，"]),
        ("4.57.6.dev0", "", ["4.57.6 (as installed here):", "4.57.6（已安装的版本）："]),
        ("4.57.6", "transformers==4.46.3", ["4.46.3 (as pinned in requirem", "4.46.3（由 "]),
    ],
)
def test_what_was_assumed_is_said(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    version: str | None,
    beside: str,
    said: list[str],
) -> None:
    def installed(name: str) -> str:
        if version is None or name != "transformers":
            raise PackageNotFoundError(name)
        return version

    monkeypatch.setattr("fixbook.config.pins.metadata.version", installed)
    monkeypatch.chdir(tmp_path)
    Path("requirements.txt").write_text(beside, "utf-8")
    Path("c.yaml").write_text("output_dir: x\nper_device_train_batch_size: 2\n", "utf-8")
    for lang, text in zip(("en", "zh"), said, strict=True):
        check("--lang", lang, "c.yaml")
        assert f"transformers {text}" in capsys.readouterr().err
    check("--json", "c.yaml")
    (applied,) = json.loads(capsys.readouterr().out)["applied"]
    assert applied["assumed"] in {"newest", "installed", "requirements.txt"}
    check("--tool", "transformers@5.23.0", "--lang", "en", "c.yaml")
    assert "transformers 5.23.0: no known" in capsys.readouterr().err


def test_diff_applies_and_writes_nothing(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text(before := config.read_text("utf-8") + "dataset_processes: 4\n", "utf-8")
    assert check("--diff", config) == FAILED
    diff = capsys.readouterr().out
    assert config.read_text("utf-8") == before
    patched = subprocess.run(
        ["patch", "-p0", "-o", "-", str(config)],
        input=diff,
        text=True,
        capture_output=True,
        check=True,
    )
    assert patched.stdout == before.replace("dataset_processes", "dataset_num_proc") != before


def test_sarif(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check("--sarif", config) == FAILED
    run = json.loads(capsys.readouterr().out)["runs"][0]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {
        result["ruleId"] for result in run["results"]
    }
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 7, "startColumn": 1, "endColumn": 16}


def test_version_decides_which_rules_apply(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "train.py"
    path.write_text(
        "args = TrainingArguments(output_dir='x', evaluation_strategy='steps')\n", "utf-8"
    )
    assert check(path) == FAILED
    assert check("--tool", "transformers@4.41.2", path) == DONE
    assert "transformers 4.41.2" in capsys.readouterr().err


def test_unknown_tool_and_unrecognised_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("colour: blue\n", "utf-8")
    assert check("--lang", "en", path) == UNUSABLE
    assert "name it with --tool" in capsys.readouterr().err
    assert check("--tool", "widgets", path) == UNUSABLE
    assert "use one of accelerate, axolotl" in capsys.readouterr().err


def test_files_given_together_are_checked_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text(
        "output_dir: x\nper_device_train_batch_size: 2\nseed: 1\n", "utf-8"
    )
    (tmp_path / "ds.json").write_text(
        '{"train_micro_batch_size_per_gpu": 4, "zero_optimization": {"stage": 2}}', "utf-8"
    )
    assert check("--json", tmp_path / "a.yaml", tmp_path / "ds.json") == FAILED
    rows = json.loads(capsys.readouterr().out)["findings"]
    assert [row["rule"] for row in rows] == ["deepspeed-micro-batch-differs"]


def test_notes_alone_do_not_fail(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(BASE + "dataset_processes: 4\n", "utf-8")
    assert check(path) == DONE


def test_imports_neither_torch_nor_the_tools(config: Path) -> None:
    program = (
        "import sys\nfrom fixbook.cli import cli, run_command\n"
        f"run_command(cli, ['check', {str(config)!r}])\n"
        "slow = {'torch', 'transformers', 'axolotl', 'deepspeed', 'accelerate', 'pydantic'}\n"
        "bad = slow & set(sys.modules)\n"
        "sys.exit(f'imported {bad}' if bad else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("option", ["--json", "--sarif", "--diff", "--lang=en"])
def test_what_is_not_recognised_is_said_whatever_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    path = tmp_path / "a\x1b[2J.yaml"
    path.write_text("nobody: knows\n", "utf-8")
    assert run_command(cli, ["check", "--lang", "en", option, str(path)]) == UNUSABLE
    err = capsys.readouterr().err
    assert "nothing that a known tool reads was found" in err
    assert "\x1b" not in err
