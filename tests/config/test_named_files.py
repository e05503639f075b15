"""Files that a configuration names: a slip of the pen is told, what is merely absent is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fixbook.api.configurations import check as check_as_command
from fixbook.config.check import check
from fixbook.config.read import parse, read_file
from tests.config.proofs_in_overlays import answers

if TYPE_CHECKING:
    from pathlib import Path

TRAINER = "output_dir: x\nlearning_rate: 1.0e-4\nmax_steps: 10\n"
LLAMAFACTORY = "stage: sft\nfinetuning_type: lora\ntemplate: qwen\ndataset: a\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    for name in ("deepspeed/ds_z2_config.json", "data/dataset_info.json", "runs/a/note.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", "utf-8")
    return tmp_path


def found(path: Path, text: str) -> list[str]:
    path.write_text(text, "utf-8")
    said = [item.text("en") for item in check([read_file(path)]).findings]
    assert [row["message"]["en"] for row in check_as_command(path)["findings"]] == said
    return said


@pytest.mark.parametrize("name", ["train.yaml", "runs/a/train.yaml"])
def test_a_slip_in_a_name_is_told_from_any_folder_of_the_repository(
    repository: Path, name: str
) -> None:
    said = found(repository / name, f"{TRAINER}deepspeed: deepspeed/ds_z9_config.json\n")
    assert said == [
        (
            "`deepspeed` names `deepspeed/ds_z9_config.json`, which is not there; "
            "the nearest is `deepspeed/ds_z2_config.json`"
        )
    ]


def test_a_folder_of_data_is_one_that_lists_it(repository: Path) -> None:
    said = found(repository / "sft.yaml", f"{LLAMAFACTORY}dataset_dir: datas\n")
    assert "the nearest is `data`" in said[0]
    (repository / "data" / "dataset_info.json").unlink()
    assert found(repository / "sft.yaml", f"{LLAMAFACTORY}dataset_dir: datas\n") == []


@pytest.mark.parametrize(
    "named",
    [
        "deepspeed/ds_z2_config.json",
        "deepspeed/other.json",
        "elsewhere/ds_z9_config.json",
        "/etc/ds_z9_config.json",
        "../deepspeed/ds_z9_config.json",
        "~/deepspeed/ds_z9_config.json",
        "auto",
        "x" * 5000,
    ],
)
def test_what_may_be_elsewhere_is_left_alone(repository: Path, named: str) -> None:
    assert found(repository / "train.yaml", f"{TRAINER}deepspeed: {named}\n") == []


def test_a_text_that_is_merely_called_so_is_not_looked_up(repository: Path) -> None:
    text = f"{TRAINER}deepspeed: deepspeed/ds_z9_config.json\n"
    (repository / "train.yaml").write_text(text, "utf-8")
    assert check([parse(text, repository / "train.yaml")]).findings == []


LIST = '{"identity": {"file_name": "a.json"}, "alpaca_zh_demo": {"file_name": "b.json"}}'
NOT_THERE = "is not in `dataset_info.json`; the nearest is"


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("identitty", f"{NOT_THERE} `identity`"),
        ("identity,alpaca_zh_dem", f"{NOT_THERE} `alpaca_zh_demo`"),
        ("[identity, other]", ""),  # another list may have it
        ("identity, alpaca_zh_demo", ""),
        ("$DATA", ""),
    ],
)
def test_a_slip_in_the_name_of_a_data_set_is_told(repository: Path, named: str, said: str) -> None:
    text = LLAMAFACTORY.replace("dataset: a", f"dataset: {named}")
    path = repository / "data/dataset_info.json"
    path.write_text(LIST, "utf-8")
    reported = found(repository / "runs/a/sft.yaml", text)
    assert (reported[0].endswith(said) and len(reported) == 1) if said else reported == []
    for unreadable in ("[1", "[]", "1"):
        path.write_text(unreadable, "utf-8")
        assert found(repository / "runs/a/sft.yaml", text) == []


@pytest.mark.tools
def test_llamafactory_refuses_a_data_set_that_its_list_lacks(repository: Path) -> None:
    (repository / "data/dataset_info.json").write_text(LIST, "utf-8")
    folder = str(repository / "data")
    asked = {name: {"dataset": [name], "dataset_dir": folder} for name in ("identity", "identitty")}
    said = answers("llamafactory", "data", asked)
    assert said["identity"] == "found=1"
    assert "Undefined dataset identitty in dataset_info.json" in said["identitty"]
