"""A fix that changes what is trained is shown, and never written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from fixbook.cli import cli, run_command
from fixbook.cli.exits import DONE, FAILED
from fixbook.config.texts import check_texts
from tests.real_book import real_book

if TYPE_CHECKING:
    from pathlib import Path

BASE = "base_model: a/b\ndatasets:\n- path: c\nmicro_batch_size: 1\n"
LORA = BASE + "adapter: lora\nload_in_4bit: true\n"
TWO_WARM_UPS = "output_dir: x\nper_device_train_batch_size: 2\nwarmup_ratio: {}\nwarmup_steps: {}\n"


def check(*arguments: object) -> int:
    return run_command(cli, ["check", *map(str, arguments)])


def test_every_fix_is_marked() -> None:
    rules = [item.rule for item in real_book().rules.values() if item.rule.fix]
    assert len(rules) >= 50
    assert [rule.id for rule in rules if "applies" not in rule.model_fields_set] == []
    assert {rule.applies for rule in rules} == {"safe", "suggestion"}


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "1 suggestion not written: it changes the training"),
        ("zh", "有 1 条建议没有写入：它们会改变训练"),
    ],
)
def test_suggestion_is_shown_and_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str, said: str
) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(LORA + "sequence_length: 1\n", "utf-8")
    assert check("--fix", "--lang", lang, path) == FAILED
    assert path.read_text("utf-8") == LORA + "sequence_len: 1\n"
    shown = capsys.readouterr()
    assert "+adapter: qlora" in shown.out
    assert said in shown.err
    assert check("--diff", path) == FAILED
    assert capsys.readouterr().out == ""


def test_formats_carry_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(LORA + "&x sequence_length: 1\ndataset_processes: 2\n", "utf-8")
    check("--json", path)
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [(row["applies"], bool(row["not_fixed"])) for row in found] == [
        ("suggestion", False),
        (None, True),
        ("safe", False),
    ]
    check("--sarif", path)
    results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert [row["properties"]["applies"] for row in results] == ["suggestion", None, "safe"]


def test_the_page_offers_a_file_without_suggestions() -> None:
    report = check_texts([("c.yaml", (LORA + "sequence_length: 1\n").encode())], "en")
    assert [file["text"] for file in report["mended"]] == [LORA + "sequence_len: 1\n"]
    assert report["findings"][0]["applies"] == "suggestion"


@pytest.mark.parametrize(
    ("ratio", "steps", "kept"),
    [(0.1, 0, True), (0.1, 0.1, False)],
)
def test_of_two_warm_ups_none_is_dropped_unless_they_agree(
    tmp_path: Path, ratio: float, steps: float, *, kept: bool
) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(TWO_WARM_UPS.format(ratio, steps), "utf-8")
    assert check("--fix", "--tool", "transformers", path) == (FAILED if kept else DONE)
    assert ("warmup_ratio" in path.read_text("utf-8")) is kept
