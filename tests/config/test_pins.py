"""The release that a reader has is looked up once, and again when what names it has changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from fixbook.config import pins
from fixbook.config.check import Report, check
from fixbook.config.output import summary
from fixbook.config.read import read_file

if TYPE_CHECKING:
    from pathlib import Path

LOCK = 'name = "trl"\nversion = "{}"\n'


def test_a_lock_is_read_once_for_all_files_and_again_when_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    lock = tmp_path / "uv.lock"
    lock.write_text(LOCK.format("1.8.0"), "utf-8")
    asked: list[str] = []
    named = pins._named

    def counted(name: str, text: str) -> list[tuple[str, str]]:
        asked.append(name)
        return named(name, text)

    monkeypatch.setattr(pins, "_named", counted)
    for name in ("a.yaml", "b.yaml"):
        assert pins.pins(tmp_path / name)["trl"].release == "1.8.0"
    assert asked == ["uv.lock"]
    lock.write_text(LOCK.format("1.9.0"), "utf-8")
    os.utime(lock, ns=(0, 0))
    assert pins.pins(tmp_path / "a.yaml")["trl"].release == "1.9.0"
    assert asked == ["uv.lock", "uv.lock"]


@pytest.mark.parametrize(
    ("name", "text", "release"),
    [
        ("requirements.txt", "trl>=0.8.6,<=0.9.6\n", "0.9.6"),
        ("requirements.txt", "trl<0.16  # later ones changed it\n", "0.15.2"),
        ("requirements.txt", "trl[vllm]~=0.17.3\n", "0.17.3"),
        ("requirements.txt", "trl==0.17.*\n", "0.17.0"),
        (
            "requirements.txt",
            "trl<0.9;python_version<'3'\ntrl<0.16;python_version>='3'\n",
            "0.15.2",
        ),
        ("pyproject.toml", '[project]\ndependencies = ["torch", "trl<0.16,>=0.9"]\n', "0.15.2"),
        ("setup.py", 'install_requires=["trl>=0.9,<0.16"]\n', "0.15.2"),
    ],
)
def test_a_bound_means_the_newest_release_that_it_allows(
    tmp_path: Path, name: str, text: str, release: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert pins.pins(tmp_path / "a.yaml")["trl"].release == release


def test_a_bound_that_allows_the_newest_pins_nothing_and_an_exact_version_wins(
    tmp_path: Path,
) -> None:
    (tmp_path / "requirements.txt").write_text("trl>=0.9\ntransformers!=4.50.*\n", "utf-8")
    assert pins.pins(tmp_path / "a.yaml") == {}
    (tmp_path / "setup.py").write_text('install_requires=["trl<0.16"]\n', "utf-8")
    (tmp_path / "requirements.txt").write_text("trl==0.14.0\n", "utf-8")
    assert pins.pins(tmp_path / "a.yaml")["trl"].release == "0.14.0"


def test_a_release_too_old_for_what_is_asked_beside_or_below_is_of_another_environment(
    tmp_path: Path,
) -> None:
    extra = '[project]\ndependencies = ["transformers >= 4.50.0"]\n'
    extra += '[project.optional-dependencies]\nold = ["transformers==4.40.0"]\n'
    (tmp_path / "pyproject.toml").write_text(extra, "utf-8")
    assert pins.pins(tmp_path / "a.yaml") == {}
    (tmp_path / "pyproject.toml").write_text("", "utf-8")
    (tmp_path / "requirements.txt").write_text("transformers==4.40.0\npeft==0.4.0\n", "utf-8")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "requirements.txt").write_text("transformers>=4.51.0\npeft>=0.3\n", "utf-8")
    (tmp_path / ".git").mkdir()
    found = {name: one.release for name, one in pins.pins(inner / "a.yaml").items()}
    assert found == {"peft": "0.4.0"}


def test_a_bound_is_read_of_packages_without_a_table_of_keys(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text('deps = ["huggingface-hub>=0.19.2,<1.0"]\n', "utf-8")
    assert pins.pins(tmp_path / "a.py")["huggingface-hub"].release.startswith("0.3")


COMMAND = "python3 -m verl.trainer.main_ppo {}\n"
SFT = "stage: sft\ndo_train: true\nfinetuning_type: lora\ntemplate: {}\nmodel_name_or_path: a/b\n"


def _keys(path: Path, text: str) -> list[str]:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    document = read_file(path)
    pins.pin(document)
    return [item.setting.key for item in check([document]).findings]


@pytest.mark.parametrize("root", ["", "verl"])
def test_a_copy_of_a_tool_may_have_keys_of_its_own(tmp_path: Path, root: str) -> None:
    own = COMMAND.format("data.train_data_num=1")
    slip = COMMAND.format("data.train_batch_sizee=8")
    script = tmp_path / "scripts/run.sh"
    (tmp_path / ".git").mkdir()
    assert _keys(script, own) == ["data.train_data_num"]
    copy = tmp_path / root / "verl"
    (copy / "version").mkdir(parents=True)
    (copy / "version/version").write_text("0.3.1.dev\n", "utf-8")
    assert _keys(script, own) == ["data.train_data_num"]  # a file of that name is no package
    (copy / "__init__.py").touch()
    assert _keys(script, own) == []
    assert _keys(script, slip) == ["data.train_batch_sizee"]
    assert pins.pins(script)["verl"].release == "0.3.1"
    document = read_file(script)
    pins.pin(document)
    report = check([document])
    assert "verl 0.3.1（仓库自带的副本" in summary(report, "zh")[0]
    assert "verl 0.3.1 (the copy in this repository" in summary(report, "en")[0]


def test_a_copy_of_a_tool_may_have_templates_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "examples/sft.yaml"
    (tmp_path / ".git").mkdir()
    assert "template" in _keys(path, SFT.format("qwen25"))
    extras = tmp_path / "src/llamafactory/extras"
    extras.mkdir(parents=True)
    (extras.parent / "__init__.py").touch()
    (extras / "env.py").write_text('import torch\n\nVERSION = "0.9.2.dev0"\n', "utf-8")
    assert _keys(path, SFT.format("qwen25")) == []


def test_what_trl_inherits_is_judged_by_the_release_of_transformers(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    text = "output_dir: a\nlearning_rate: 1.0e-5\nbeta: 0.1\nmax_prompt_length: 9\nmax_steps: 2\n"
    text += "evaluation_strategy: 'no'\nmax_length: 99\nloss_type: sigmoid\n"
    # It asks for transformers 4.31 or later; 0.19.1 for 4.51, which has another name.
    (tmp_path / "requirements.txt").write_text("trl==0.9.6\n", "utf-8")
    assert "evaluation_strategy" not in _keys(tmp_path / "dpo.yaml", text)
    (tmp_path / "requirements.txt").write_text("trl==0.19.1\n", "utf-8")
    assert "evaluation_strategy" in _keys(tmp_path / "dpo.yaml", text)
    (tmp_path / "requirements.txt").write_text("trl==0.9.6\ntransformers==4.44.2\n", "utf-8")
    assert "evaluation_strategy" not in _keys(tmp_path / "dpo.yaml", text)


def test_a_release_that_no_rule_is_about_is_not_called_free_of_mistakes() -> None:
    report = Report(tools={("openrlhf", "0.5.5"): 0, ("ray", "2.60.0"): 1})
    assert "no rule is about this release (0 rules;" in summary(report, "en")[0]
    assert "没有适用于这个版本的规则（0 条规则；" in summary(report, "zh")[0]
    assert "no known-bad combination found (1 rule;" in summary(report, "en")[1]


def test_a_tool_without_a_key_table_is_judged_by_the_release_that_is_installed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "train.py"
    path.write_text("from peft import prepare_model_for_int8_training\n", "utf-8")
    document = read_file(path)
    pins.pin(document)
    assert [item.rule for item in check([document]).findings] == ["peft-import-gone-0-10"]


@pytest.mark.parametrize("name", ["environment.yml", "environment.yaml"])
def test_a_copy_without_git_is_known_by_its_environment(name: str, tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    (tmp_path / name).write_text("dependencies:\n- pip:\n  - trl==0.9.6\n", "utf-8")
    assert "trl" not in pins.pins(tmp_path / "train/a.yaml")  # it may be a folder of anything
    (tmp_path / "README.md").write_text("", "utf-8")
    assert pins.pins(tmp_path / "train/a.yaml")["trl"].release == "0.9.6"
