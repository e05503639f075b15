"""A fix that changes what is trained is shown, and never written."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError
from typing import TYPE_CHECKING

import pytest

from fixbook.cli import cli, run_command
from fixbook.config.texts import check_texts
from fixbook.exits import DONE, FAILED
from tests.config.test_false_alarms import found
from tests.real_book import real_book

if TYPE_CHECKING:
    from pathlib import Path

BASE = "# axolotl==0.19.0\nbase_model: a/b\ndatasets:\n- path: c\nmicro_batch_size: 1\n"
LORA = BASE + "adapter: lora\nload_in_4bit: true\n"
TWO_WARM_UPS = "output_dir: x\nper_device_train_batch_size: 2\nwarmup_ratio: {}\nwarmup_steps: {}\n"


def check(*arguments: object) -> int:
    return run_command(cli, ["check", *map(str, arguments)])


def none_installed(name: str) -> str:
    raise PackageNotFoundError(name)


def test_every_fix_is_marked() -> None:
    rules = [item.rule for item in real_book().rules.values() if item.rule.fix]
    assert len(rules) >= 50
    assert [rule.id for rule in rules if "applies" not in rule.model_fields_set] == []
    assert {rule.applies for rule in rules} == {"safe", "suggestion"}


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "1 suggestion not written: it may change the training"),
        ("zh", "有 1 条建议没有写入：这些建议可能改变训练"),
    ],
)
def test_suggestion_is_shown_and_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str, said: str
) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(LORA + "dataset_processes: 1\n", "utf-8")
    assert check("--fix", "--lang", lang, path) == FAILED
    assert path.read_text("utf-8") == LORA + "dataset_num_proc: 1\n"
    shown = capsys.readouterr()
    assert "+adapter: qlora" in shown.out
    assert said in shown.err
    assert check("--diff", path) == FAILED
    assert capsys.readouterr().out == ""


def test_formats_carry_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(LORA + "&x evaluation_strategy: steps\ndataset_processes: 2\n", "utf-8")
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
    report = check_texts([("c.yaml", (LORA + "dataset_processes: 1\n").encode())], "en")
    assert [file["text"] for file in report["mended"]] == [LORA + "dataset_num_proc: 1\n"]
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
    assert check("--fix", "--tool", "transformers@5.23.0", path) == (FAILED if kept else DONE)
    assert ("warmup_ratio" in path.read_text("utf-8")) is kept


def test_a_value_that_was_never_in_force_is_not_written(tmp_path: Path) -> None:
    """axolotl dropped the key: the samples were 512 tokens long, and would be 8,192."""
    path = tmp_path / "c.yaml"
    text = (
        BASE.replace("size: 1", "size: 4") + "sequence_length: 8192\ngradient_chekpointing: true\n"
    )
    path.write_text(text, "utf-8")
    assert check("--fix", path) == FAILED
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("tool", "settings"),
    [
        ("axolotl@0.19.0", "sample_packing_size: 100"),
        ("deepspeed@0.19.8", "train_batch_sise: 8"),
        ("transformers@5.23.0", "adam_beta: 0.9"),
    ],
)
def test_the_nearest_name_is_never_written(tmp_path: Path, tool: str, settings: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(f"{settings}\n", "utf-8")
    check("--fix", "--tool", tool, path)
    assert path.read_text("utf-8") == f"{settings}\n"


@pytest.mark.parametrize(
    ("files", "written"),
    [
        ({}, False),
        ({"requirements.txt": "torch\ntransformers[torch]==5.23.0 ; x\n"}, True),
        ({"requirements.txt": "transformers==4.46.3\n"}, False),
        ({"requirements.txt": "transformers>=5.23.0\n"}, False),
        ({"requirements.txt": "transformers==5.23.0\n",
          "requirements-a.txt": "transformers==4.46.3\n"}, False),
        ({"uv.lock": 'name = "transformers"\nversion = "5.23.0"\n',
          "requirements.txt": "transformers==4.46.3\n"}, True),
        ({"pyproject.toml": 'dependencies = [\n  "transformers==5.23.0",\n]\n'}, True),
        ({"environment.yml": "dependencies:\n- pip:\n  - transformers==5.23.0\n"}, True),
        ({"environment.yml": "dependencies:\n- hf::transformers=5.23.0=py_0\n"}, True),
        ({"environment.yml": "dependencies:\n- transformers=5.23\n"}, False),
        ({"pyproject.toml": 'dependencies = ["trl==1.9.0", "transformers==5.23.0"]\n'}, True),
        ({"Dockerfile": "RUN pip install -U torch 'transformers[x]==5.23.0'\n"}, True),
        ({"Dockerfile": "# pip install transformers==5.23.0\n"}, False),
        ({"setup.py": 'setup(install_requires=["trl", "transformers==5.23.0"])\n'}, True),
        ({"install.sh": "pip install transformers==5.23.0 my-transformers==4.46.3\n"}, True),
        ({"Pipfile.lock": '{"default": {"transformers": {"version": "==5.23.0"}}}'}, True),
        ({"Pipfile.lock": '{"default": {"transformers": 5}}'}, False),
        ({"Pipfile.lock": "[" * 5000}, False),
    ],
)  # fmt: skip
def test_what_depends_on_the_release_is_written_where_it_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], *, written: bool
) -> None:
    """4.46 and 4.57 refuse warmup_steps=0.1; the file's repository says which it has."""
    monkeypatch.setattr("fixbook.config.pins.metadata.version", none_installed)
    (tmp_path / ".git").mkdir()
    (tmp_path / "configs").mkdir()
    path = tmp_path / "configs" / "c.yaml"
    text = "output_dir: x\nper_device_train_batch_size: 2\nwarmup_ratio: 0.1\n"
    path.write_text(text, "utf-8")
    for name, content in files.items():
        (tmp_path / name).write_text(content, "utf-8")
    check("--fix", path)
    assert path.read_text("utf-8") == (text.replace("ratio", "steps") if written else text)


def test_a_value_that_is_computed_is_no_duplicate(tmp_path: Path) -> None:
    path = tmp_path / "c.py"
    text = "x = TrainingArguments(output_dir='x', warmup_ratio=a(), warmup_steps=b())\n"
    path.write_text("# transformers==5.23.0\n" + text, "utf-8")
    check("--fix", path)
    assert path.read_text("utf-8").endswith(text)


def test_all_keys_that_are_refused_go(tmp_path: Path) -> None:
    path = tmp_path / "ds.json"
    keys = (
        "loss_scale",
        "initial_scale_power",
        "loss_scale_window",
        "hysteresis",
        "min_loss_scale",
    )
    section = {"enabled": True, **dict.fromkeys(keys, 1)}
    path.write_text(json.dumps({"train_batch_size": 8, "bf16": section}, indent=1), "utf-8")
    assert check("--fix", "--tool", "deepspeed@0.19.8", path) == DONE
    assert json.loads(path.read_text("utf-8"))["bf16"] == {"enabled": True}


@pytest.mark.parametrize(("beside", "hinted"), [("", True), ("sequence_len: 2\n", False)])
def test_a_key_that_is_set_is_no_hint(beside: str, *, hinted: bool) -> None:
    """Where the right key stands beside the misspelt one, nothing is to be renamed."""
    text = f"{BASE}{beside}sequence_lenn: 1\n"
    (found,) = [
        row
        for row in check_texts([("c.yaml", text.encode())], "en", "axolotl@0.19.0")["findings"]
        if "sequence_lenn" in json.dumps(row)
    ]
    assert ("the nearest is" in json.dumps(found)) is hinted
    assert ("+sequence_len: 1" in json.dumps(found)) is hinted


@pytest.mark.parametrize(
    ("release", "key", "said", "mend"),
    [
        ("1.16.0", "max_prompt_length", "(last seen in trl 0.27.2)", "install trl 0.27.2"),
        ("0.16.1", "disable_dropout", "(it comes with 0.17.0)", "install trl 0.17.0 or later"),
        (
            *("0.16.1", "wandb_log_unique_prompts"),
            *("(it comes with 0.17.0, and was last seen in trl 0.24.0)", "trl 0.17.0 to 0.24.0"),
        ),
        ("1.16.0", "zzz_zzz", "has no key `zzz_zzz`", "take the key out, or mend its spelling"),
    ],
)
def test_a_key_that_is_unknown_says_what_to_do(
    release: str, key: str, said: str, mend: str
) -> None:
    text = f"# trl=={release}\nfrom trl import GRPOConfig\nGRPOConfig(output_dir='a', {key}=1)\n"
    (item,) = (one for one in found(text, "a.py") if one.rule == "unknown-key")
    assert said in item.message["en"]
    assert item.mend is not None
    assert item.mend["en"].endswith(mend)
    assert item.mend["zh"].startswith("删掉这个键")
