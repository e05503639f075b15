"""Keys of data sets: entries of axolotl's lists, and LLaMA-Factory's `dataset_info.json`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fixbook.config.check import check
from fixbook.config.fix import fixed_text
from fixbook.config.listed import as_listed
from fixbook.config.patch import work_out
from fixbook.config.read import parse
from fixbook.config.tools import objections, schema_of
from tests.config.proofs_in_overlays import answers
from tests.config.test_false_alarms import AXOLOTL, found, told, tools

LIST = {
    "identity": {"file_name": "identity.json", "file_sha1": "00"},
    "v1.2": {
        "hf_hub_url": "a/b",
        "formatting": "sharegpt",
        "columns": {"messages": "conversations", "tools": "tools"},
        "tags": {"role_tag": "from", "user_tag": "human"},
    },
}
NAME = "dataset_info.json"


def changed(**more: object) -> str:
    return json.dumps({**LIST, "mine": {"file_name": "mine.json", **more}}, indent=2)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, []),
        ({"formatting": "openai", "ranking": True, "num_samples": 10, "split": "train"}, []),
        ({"source": "somebody", "file_sha1": "12"}, []),  # what people note beside it
        ({"_comment": "mine", "columns": {"_old": "a", "prompt": "a"}}, []),
        ({"name": "a", "description": "b", "language": "c", "license": "d"}, []),
        ({"rank": True}, [("warning", "mine.rank")]),  # the beginning of `ranking`
        ({"formating": "sharegpt"}, [("warning", "mine.formating")]),
        ({"colums": {"prompt": "a"}}, [("warning", "mine.colums")]),
        ({"columns": {"promt": "a"}}, [("warning", "mine.columns.promt")]),
        ({"tags": {"user": "human"}}, [("warning", "mine.tags.user")]),
        ({"formatting": "share-gpt"}, [("error", "mine.formatting")]),
    ],
)
def test_keys_of_llamafactorys_list(
    more: dict[str, object], expected: list[tuple[str, str]]
) -> None:
    assert told(changed(**more), NAME) == expected


def test_what_else_is_called_so_is_left_alone() -> None:
    of_datasets = {"description": "", "features": {"a": {"dtype": "string"}}, "splits": {}}
    assert tools(json.dumps(of_datasets), NAME) == [""]
    one = {"train": {"file_name": "a.json", "file_nme": 1}}
    assert tools(json.dumps(one), "other.json") == [""]  # one entry of a file of another name
    assert tools(json.dumps(one), NAME) == ["llamafactory"]


def test_a_suggestion_names_the_key_of_its_entry() -> None:
    document = parse(changed(formating="sharegpt"), Path(NAME))
    report = check([document])
    (item,) = report.findings
    assert item.message["en"].endswith("the nearest is `mine.formatting`")
    work_out(report.findings)
    assert '+    "formatting": "sharegpt"' in item.diff
    assert fixed_text(report, document) == document.text  # not by itself


def test_a_key_of_the_list_in_a_configuration_is_said_to_belong_there() -> None:
    text = "stage: sft\ndo_train: true\nfinetuning_type: lora\ntemplate: llama3\nrole_tag: from\n"
    (item,) = found(text, "sft.yaml")
    assert item.message["en"].endswith("no key `role_tag`; it belongs into `dataset_info.json`")


@pytest.mark.tools
def test_llamafactory_itself_drops_the_one_and_refuses_the_other(tmp_path: Path) -> None:
    asked = {"dataset": ["mine"], "dataset_dir": str(tmp_path)}
    (tmp_path / NAME).write_text(changed(formating="x", colums={}), "utf-8")
    assert answers("llamafactory", "data", {"": asked})[""] == "found=1"
    (tmp_path / NAME).write_text(changed(formatting="share-gpt"), "utf-8")
    assert "converter share-gpt not found" in answers("llamafactory", "data", {"": asked})[""]


ENTRY = "    type: alpaca\n"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("    split: train\n    field_messages: a\n    roles: {user: [a]}\n", []),
        ("    message_property_mappings: {role: from, content: value}\n", []),
        ("    field_message: a\n", [("warning", "datasets.0.field_message")]),
        ("    typ: alpaca\n", [("warning", "datasets.0.typ")]),
        ("test_datasets:\n  - path: a\n    spilt: test\n", [("warning", "test_datasets.0.spilt")]),
    ],
)
def test_keys_of_axolotls_entries(more: str, expected: list[tuple[str, str]]) -> None:
    text = AXOLOTL.replace(ENTRY, ENTRY + more)
    assert told(text, "c.yaml") == expected


def test_data_sets_without_a_path_are_those_of_another_program() -> None:
    text = "datasets:\n  - json_path: a.json\n    sampling_strategy: all\n"
    assert tools(text, "data.yaml") == [""]
    assert tools("datasets:\n  - path: a/b\n    type: alpaca\n", "data.yaml") == ["axolotl"]


def test_keys_below_the_type_of_an_entry() -> None:
    own = "    type:\n      field_instuction: a\n      field_output: b\n"
    (item,) = found(AXOLOTL.replace(ENTRY, own), "c.yaml")
    assert item.fix == [
        {"rename": "datasets.0.type.field_instuction", "to": "datasets.0.type.field_instruction"}
    ]


@pytest.mark.tools
def test_axolotl_itself_drops_them_without_a_word() -> None:
    entry = {"path": "a/b", "type": "alpaca", "field_message": "c"}
    assert objections("axolotl", {"datasets": [entry]}, fragment=True) == []


def test_the_table_has_a_star_for_each_entry() -> None:
    schema = schema_of("axolotl")
    assert as_listed(schema, ("datasets", "12", "type", "format")) == "datasets.*.type.format"
    assert as_listed(schema, ("fsdp_config", "0")) == "fsdp_config.0"
    assert as_listed(schema_of("deepspeed"), ("fp16", "enabled")) == "fp16.enabled"
