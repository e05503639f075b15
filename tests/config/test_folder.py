"""Folders, standard input and the forms in which findings are printed."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from fixbook.cli import cli, run_command
from fixbook.config.errors import ConfigError
from fixbook.config.folder import files
from fixbook.config.read import parse
from fixbook.exits import DONE, FAILED, UNUSABLE

WRONG = "base_model: a/b\ndatasets:\n  - path: c\n    type: alpaca\nmicro_batch_size: two\n"
NOTE = "base_model: a/b\ndatasets:\n  - path: c\n    type: alpaca\ndataset_processes: 2\n"
DEEPSPEED = '{"train_micro_batch_size_per_gpu": 4, "zero_optimization": {"stage": 2}}'
TRAINER = "output_dir: x\nper_device_train_batch_size: 2\nseed: 1\n"


def check(*arguments: object) -> int:
    return run_command(cli, ["check", "--lang", "en", *map(str, arguments)])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "lora.yml").write_text(WRONG, "utf-8")
    (tmp_path / "docker.yaml").write_text("services: {web: {image: nginx}}\n", "utf-8")
    (tmp_path / "train.py").write_text("print('no configuration')\n", "utf-8")
    (tmp_path / "README.md").write_text("base_model: a\n", "utf-8")
    return tmp_path


def test_of_a_folder_what_is_a_configuration_is_checked_and_the_rest_is_counted(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(project) == FAILED
    said = capsys.readouterr()
    assert "lora.yml:5:1" in said.out
    assert "1 files checked; 2 skipped: no configurations of a known tool" in said.err
    check("--json", project)
    data = json.loads(capsys.readouterr().out)
    assert data["checked"] == 1
    assert data["skipped"] == {"others": 2, "unread": []}
    assert data["unrecognised"] == []


def test_one_file_that_cannot_be_read_does_not_end_the_rest(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "a.yaml").write_text("base_model: a: b\n", "utf-8")
    (project / "b.json").write_text("[" * 40_000 + '"fp16"', "utf-8")
    assert check(project) == FAILED
    said = capsys.readouterr()
    assert "lora.yml:5:1" in said.out
    assert "2 cannot be read" in said.err
    assert "a.yaml:1:14: is not valid YAML" in said.err
    assert "b.json: is nested too deeply" in said.err
    assert check(project / "a.yaml", project / "configs" / "lora.yml") == UNUSABLE
    assert "lora.yml:5:1" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 40_000,
        "".join(f"{' ' * level}a:\n" for level in range(900)) + "\n" + "- " * 40_000,
        "a: " + "{b: " * 40_000,
        "? " * 40_000,
    ],
    ids=["brackets", "dashes", "braces", "questions"],
)
def test_forty_thousand_levels_are_refused_with_a_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(text, "utf-8")
    assert check(path) == UNUSABLE
    assert "is nested too deeply" in capsys.readouterr().err


def test_what_runs_and_libraries_leave_is_not_looked_into(tmp_path: Path) -> None:
    kept = tmp_path / "conf" / "a.yaml"
    left_out = [
        *(
            "wandb/run-20250101_120000-abc/files/config.yaml",
            ".venv/x/b.yaml",
            "node_modules/c.json",
        ),
        *(
            "out/checkpoint-500/trainer_state.json",
            "mine/lib/d.yaml",
            "model/tokenizer_config.json",
        ),
    ]
    for path in (kept, *(tmp_path / name for name in left_out)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(WRONG, "utf-8")
    (tmp_path / "mine" / "pyvenv.cfg").write_text("home = /usr\n", "utf-8")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "link.yaml").symlink_to(kept)
    assert list(files(tmp_path)) == [kept]


def test_folder_of_nothing_that_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text("colour: blue\n", "utf-8")
    assert check(tmp_path) == UNUSABLE
    assert "0 files checked; 1 skipped" in capsys.readouterr().err


def test_empty_folder_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path) == UNUSABLE
    assert "0 files checked" in capsys.readouterr().err


def test_unknown_tool_is_said_once_for_a_folder(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check("--tool", "widgets", project) == UNUSABLE
    assert capsys.readouterr().err.count("has no rules here for widgets") == 1


def test_files_of_a_folder_belong_to_different_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text(TRAINER, "utf-8")
    (tmp_path / "ds.json").write_text(DEEPSPEED, "utf-8")
    assert check(tmp_path) == DONE
    (tmp_path / "a.yaml").write_text(TRAINER + "deepspeed: ds.json\n", "utf-8")
    assert check(tmp_path) == FAILED
    assert "deepspeed-micro-batch-differs" in capsys.readouterr().out


def test_file_that_names_another_is_not_compared_with_this_one(tmp_path: Path) -> None:
    for run in ("first", "second"):
        (tmp_path / run).mkdir()
    (tmp_path / "first" / "a.yaml").write_text(TRAINER + "deepspeed: ds.json\n", "utf-8")
    (tmp_path / "first" / "ds.json").write_text(DEEPSPEED.replace("4", "2"), "utf-8")
    (tmp_path / "second" / "ds.json").write_text(DEEPSPEED, "utf-8")
    assert check(tmp_path / "first" / "a.yaml", tmp_path / "second" / "ds.json") == DONE
    other = tmp_path / "other.yaml"
    other.write_text(TRAINER + "deepspeed: conf/zero3.json\n", "utf-8")
    assert check(other, tmp_path / "second" / "ds.json") == DONE


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def give(text: str) -> None:
        stdin = SimpleNamespace(buffer=io.BytesIO(text.encode()), isatty=lambda: False)
        monkeypatch.setattr("sys.stdin", stdin)

    give(WRONG)
    assert check("-") == FAILED
    assert "-:5:1: error" in capsys.readouterr().out
    give(DEEPSPEED.replace('"stage": 2', '"stage": 9'))
    assert check("--format", "short", "-") == FAILED
    assert "zero_optimization.stage" in capsys.readouterr().out
    give(WRONG)
    assert check("--fix", "-") == UNUSABLE
    assert "--diff" in capsys.readouterr().err
    give("a" * (1024 * 1024 + 1))
    assert check("-") == UNUSABLE
    assert "at most" in capsys.readouterr().err


def test_short_form_has_three_lines_at_most(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(
        WRONG + "sequence_length: 2048\nload_in_4bit: true\ngradient_chekpointing: true\n", "utf-8"
    )
    assert check("--format", "short", path) == FAILED
    lines = capsys.readouterr().out.splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith(str(path))]
    assert len(heads) == 4
    assert (
        max(after - before for before, after in zip(heads, [*heads[1:], len(lines)], strict=True))
        <= 3
    )
    assert any("+sequence_len: 2048" in line for line in lines)


@pytest.mark.parametrize("form", ["short", "github", "full"])
def test_nothing_in_a_file_drives_a_terminal_or_a_runner(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    path = tmp_path / "c,x:1%\x1b[2J.json"
    path.write_text(DEEPSPEED.replace('"stage"', '"st\\u001b[2Jage\\u009b\\n::error::x"'), "utf-8")
    assert check("--format", form, path) == FAILED
    said = capsys.readouterr()
    assert not {"\x1b", "\x9b"} & set(said.out + said.err)
    if form == "github":
        (line,) = said.out.splitlines()
        where = line.partition("::")[2].partition("::")[0]
        assert where.startswith("error file=")
        assert "c%2Cx%3A1%25\\x1b[2J.json,line=1,col=" in where


def test_severity_decides_how_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(NOTE, "utf-8")
    assert check(path) == DONE
    assert check("--fail-on", "note", path) == FAILED
    path.write_text(NOTE + "gradient_chekpointing: true\n", "utf-8")  # dropped in silence
    assert check(path) == FAILED
    assert check("--fail-on", "error", path) == DONE


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("c.yaml", "a: b: c\n", "这里不能出现"),
        ("c.yaml", "a: [1, 2\nb: 3\n", "方括号里缺少逗号"),
        ("c.yaml", "a:\n  - x\n b: 2\n", "缩进和上一行对不齐"),
        ("c.yaml", "a: 'x\n", "引号没有配对"),
        ("c.yaml", "a: @x\n", "请加引号"),
        ("c.yaml", "a: *x\n", "没有定义的别名"),
        ("c.yaml", "a: &x 1\nb: &x 2\n", "同一个锚点"),
        ("c.yaml", "a: 1\x01\n", "控制字符"),
        ("c.json", '{"a": 1,}', "逗号"),
        ("c.json", '{"a" 1}', "缺少冒号"),
        ("c.json", '{"a": 1} x', "结束之后还有内容"),
    ],
)
def test_what_is_wrong_with_the_syntax_is_said_in_chinese(name: str, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text, Path(name))
    message = caught.value.as_text("zh")
    assert said in message
    assert not any(word in message for word in ("expected", "found", "allowed", "Expecting"))


def test_hook_that_names_every_file_skips_the_rest(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    others = [project / "docker.yaml", project / "train.py"]
    assert check("--skip-others", *others) == DONE
    assert check("--skip-others", *others, project / "configs" / "lora.yml") == FAILED
    said = capsys.readouterr()
    assert "lora.yml:5:1" in said.out
    assert "1 files checked; 2 skipped" in said.err
    assert check(*others) == UNUSABLE
