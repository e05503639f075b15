"""Whatever is put in, the command answers with a message, in bounded time, and drives nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fixbook.cli import cli, run_command
from fixbook.exits import DONE, FAILED, INTERNAL, NOT_RECOGNISED, UNUSABLE
from fixbook.index import cache
from fixbook.text import printable

_AXOLOTL = "base_model: a\nmicro_batch_size: 1\ndatasets:\n  - path: x\n"
_LAUNCH = "torchrun train.py --learning_rate {} --output_dir out --per_device_train_batch_size 1\n"
_ENDINGS = {DONE, FAILED, UNUSABLE}
_DOUBLED = 'A=("${A[@]}" "${A[@]}")\n'
CONFIGS = {
    "array-doubles.sh": "A=(x)\n" + _DOUBLED * 40 + _LAUNCH.format("${A[@]}"),
    "text-doubles.sh": "A=x\n" + "A=$A$A\n" * 60 + _LAUNCH.format("$A"),
    "one-long-line.sh": "A=" + "x" * 1000 + "\nA=" + "$A" * 100_000 + "\n" + _LAUNCH.format("$A"),
    "arrays-in-arrays.sh": "a=(" * 3000 + ")" * 3000 + "\n" + _LAUNCH.format(1),
    "heredocs-in-heredocs.sh": "cat <<A\n" * 3000 + _LAUNCH.format(1),
    "substitutions.sh": "$(" * 5000 + ")" * 5000 + "\n" + _LAUNCH.format(1),
    "no-date.sh": _LAUNCH.format("2020-99-99"),
    "brackets.sh": _LAUNCH.format("'" + "[" * 3000 + "'"),
    "timestamp.yaml": _AXOLOTL + "learning_rate: !!timestamp nope\n",
    "bool.yaml": _AXOLOTL + "bf16: !!bool x\n",
    "int.yaml": _AXOLOTL + "sequence_len: !!int ''\n",
    "digits.yaml": _AXOLOTL + f"sequence_len: {'9' * 400}\nlearning_rate: {'9' * 400}\n",
    "more-digits.yaml": _AXOLOTL + f"sequence_len: {'9' * 9000}\n",
    "surrogate.yaml": _AXOLOTL + 'wandb_name: "\\ud800"\n',
    "escapes.yaml": _AXOLOTL + '"\\e[2Jkey": "\\e[31m"\nflash_attention: "\\e]0;x\\a"\n',
    "anchors.yaml": _AXOLOTL
    + "a: &a [x, x]\n"
    + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(9)),
    "digits.json": '{"train_batch_size": ' + "9" * 9000 + "}",
    "flow.yaml": "a: " + "[" * 40_000,
    "flows.yaml": "a: " + "{a: " * 40_000 + "}" * 40_000,
    "items.yaml": "- " * 40_000 + "x",
    "hexadecimal.yaml": _AXOLOTL + f"sequence_len: 0x{'f' * 5000}\nlora_r: -0x{'f' * 5000}\n",
    "refused.yaml": _AXOLOTL + f"adapter: 0x{'f' * 5000}\nrl: [0x{'f' * 5000}]\n",
    "refused.py": f"x = TrainingArguments(eval_strategy=0x{'f' * 5000})\n",
    "directions.yaml": _AXOLOTL + '"a\\u009b\\u202eb": 1\n',
    "hexadecimal.sh": _LAUNCH.format("0x" + "f" * 5000),
    "hexadecimal.py": f"x = TrainingArguments(seed=0x{'f' * 5000})\n",
    "levels.json": "[" * 100_000,
    "objects.json": '{"a":' * 3000 + "1" + "}" * 3000,
    "mac.py": "from trl import SFTConfig\rx = SFTConfig(\r  fp16=True)\r",
    "digits.py": f"x = TrainingArguments(seed={'9' * 9000})\n",
    "levels.py": "x = " + "(" * 500 + ")" * 500 + "\n",
    "nothing.yaml": "",
    "nothing.sh": "",
}


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("option", ["--lang=en", "--json", "--sarif", "--diff"])
def test_a_configuration_ends_with_a_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, option: str
) -> None:
    path = tmp_path / name
    path.write_bytes(CONFIGS[name].encode("utf-8", "surrogatepass"))
    assert run_command(cli, ["check", option, str(path)]) in _ENDINGS
    out, err = capsys.readouterr()
    assert not set("\x1b\x9b\u202e") & set(out + err)
    if option in {"--json", "--sarif"}:
        json.loads(out)


@pytest.mark.parametrize(
    ("tool", "says"), [("axolotl@²", "is no version"), ("axolotl@", ""), ("²", "has no rules")]
)
def test_a_tool_that_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], tool: str, says: str
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(_AXOLOTL)
    run_command(cli, ["check", "--tool", tool, "--lang", "en", str(path)])
    assert says in capsys.readouterr().err


def test_as_many_fixes_as_there_is_time_for_are_worked_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 50
    monkeypatch.setattr("fixbook.config.patch._MOST_READ", 20_000)
    lines = "".join(f"gradient_chekpointing{number}: 1\n" for number in range(count))
    path = tmp_path / "a.yaml"
    path.write_text(_AXOLOTL + lines)
    assert run_command(cli, ["check", "--tool", "axolotl", "--json", str(path)]) == FAILED
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert len(findings) == count, "every one is told, mended or not"
    assert 0 < sum(bool(finding["diff"]) for finding in findings) < count
    assert findings[-1]["not_fixed"]["en"].startswith("the file has too much to fix")


LOG = "RuntimeError: Default process group has not been initialized, please make sure to call x.\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
def test_encodings_of_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], encoding: str
) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(LOG.encode(encoding))
    run_command(cli, ["diagnose", str(path)])
    assert "process-group-not-initialized" in capsys.readouterr().out


def test_a_pipe_keeps_its_first_bytes() -> None:
    script = 'printf "[rank3]: %s" "$0" | exec "$1" -m fixbook diagnose /dev/stdin'
    ran = subprocess.run(
        ["bash", "-c", script, LOG, sys.executable], capture_output=True, text=True, check=False
    )
    assert "rank 3" in ran.stdout


def test_a_report_drives_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.log"
    path.write_text(f"step 1 \x00\u202e\x1b[2J\nValueError: new \x00\u202e\x9b2J\n{LOG}", "utf-8")
    run_command(cli, ["diagnose", "--report", "--lang", "en", str(path)])
    said = capsys.readouterr()
    assert not set("\x00\u202e\x1b\x9b") & set(said.out + said.err)
    assert "process-group-not-initialized" in said.out


def test_a_closed_input_and_a_name_that_is_too_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run_command(cli, ["diagnose", "-", "--lang", "en"]) == UNUSABLE
    assert "standard input is closed" in capsys.readouterr().err
    assert run_command(cli, ["diagnose", "a" * 300, "--lang", "en"]) == UNUSABLE
    assert "does not exist" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is Linux's")
def test_a_full_disk_is_said() -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "fixbook", "list", "--lang", "en"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert ran.returncode == UNUSABLE
    assert ran.stderr == "output: cannot be read or written: No space left on device\n"


def test_a_terminal_without_the_characters() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "fixbook", "list", "--lang", "zh"],
        env={"PYTHONIOENCODING": "latin-1", "PATH": ""}, capture_output=True, check=False,
    )  # fmt: skip
    assert ran.returncode == DONE
    assert rb"\u" in ran.stdout


def test_a_defect_of_ours_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr("fixbook.cli.search.Finder", fail)
    assert run_command(cli, ["search", "words", "--lang", "en"]) == INTERNAL
    said = capsys.readouterr().err
    assert said.startswith("fixbook failed: KeyError: 'x' (test_hostile.py:")
    assert "Traceback" not in said
    monkeypatch.setenv("FIXBOOK_TRACEBACK", "1")
    with pytest.raises(KeyError):
        run_command(cli, ["search", "words"])


@pytest.mark.parametrize("argv", [["list", "a\x1b[2J\x86"], ["--a\x9b2J"], ["no\x1b[2J"]])
def test_a_wrong_word_is_repeated_as_it_is_written(
    capsys: pytest.CaptureFixture[str], argv: list[str]
) -> None:
    assert run_command(cli, argv) == UNUSABLE
    assert not set("\x1b\x86\x9b") & set(capsys.readouterr().err)


def test_what_is_printed_drives_nothing() -> None:
    assert printable("a\x1b[2J\r\u202eb\n\tc") == "a\\x1b[2J\\r\\u202eb\n\tc"
    assert run_command(cli, ["search", "\x1b[31mqqqq"]) == NOT_RECOGNISED


def test_without_a_home_nothing_is_cached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "~")
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: nobody())
    path = tmp_path / "c.yaml"
    path.write_text(_AXOLOTL, "utf-8")
    assert run_command(cli, ["check", str(path)]) == DONE
    assert "axolotl" in capsys.readouterr().err


def test_where_the_users_folder_cannot_be_written_the_checkout_keeps_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = []

    def build(root: Path) -> dict[str, Any]:
        built.append(root)
        return {"rules": []}

    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
    monkeypatch.setattr(cache, "build_rules", build)
    entry = tmp_path / "recipes/one"
    entry.mkdir(parents=True)
    for _ in range(2):
        assert cache.rule_rows(tmp_path) == {"rules": []}
    assert len(built) == 1
    (entry / "entry.yaml").write_text("edited", "utf-8")
    cache.rule_rows(tmp_path)
    assert len(built) == 2


@pytest.mark.parametrize("content", ["[]", "{}", "1", '"x"', "[" * 9999])
def test_a_cache_of_another_shape_is_built_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache, "build_rules", lambda _: {"rules": []})
    cache.rule_rows(tmp_path / "book")
    (file,) = tmp_path.glob("fixbook/rules-*.json")
    file.write_text(content, "utf-8")
    assert cache.rule_rows(tmp_path / "book") == {"rules": []}
    assert json.loads(file.read_bytes()) == {"rules": []}
