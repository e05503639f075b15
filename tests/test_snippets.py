"""Published configurations are accepted by the real tools, and misspelt keys are not."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.config.tools import objections
from fixbook.gates.snippets import known_bad, valid_snippets
from fixbook.gates.tool_checks import TOOLS, objections_to, version_of
from tests.conftest import both
from tests.real_book import real_book

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fixbook.book import Book, ConfigChange

# The tools warn about their own dependencies.
NUMBER = re.compile(r"\d+(?:\.\d+)+")
pytestmark = [pytest.mark.tools, pytest.mark.filterwarnings("default")]


def changes(book: Book) -> Iterator[tuple[Path, ConfigChange]]:
    for item in book.entries.values():
        for fix in item.entry.fixes:
            for change in fix.config:
                yield item.folder, change


def test_every_published_snippet_is_valid() -> None:
    problems = list(valid_snippets(real_book()))
    assert not problems, "\n".join(map(str, problems))


@pytest.mark.parametrize(
    ("tool", "right", "wrong"),
    [
        ("axolotl", "sequence_len", "sequence_length"),
        ("deepspeed", "zero_optimization", "zero_optimisation"),
        ("llamafactory", "enable_liger_kernel", "enable_liger_kernal"),
        ("openrlhf", "gradient_checkpointing_enable", "gradient_chekpointing_enable"),
        ("transformers", "activation_checkpointing", "activation_chekpointing"),
        ("trl", "max_length", "max_seq_length"),
    ],
)
def test_misspelt_key_in_a_file_is_named_by_both_checks(tool: str, right: str, wrong: str) -> None:
    files = [
        folder / change.after for folder, change in changes(real_book()) if change.tool == tool
    ]
    path, text = next((p, t) for p in files if right in (t := p.read_text("utf-8")))
    text = text.replace(right, wrong)
    assert wrong in "\n".join(objections_to(tool, [text])[0])
    assert wrong in "\n".join(known_bad(text, path, tool, version_of(tool) or ""))


def test_what_cannot_be_read_is_refused() -> None:
    assert "cannot be parsed" in objections_to("axolotl", ["a: [\n"])[0][0]
    assert objections_to("trl", ["- 1\n"]) == [["is not a mapping"]]
    assert "openrlhf.cli" in objections_to("openrlhf", ["python train.py --a 1\n"])[0][0]


def test_labels_of_tools_are_the_same_on_every_page() -> None:
    order = [tool.label for tool in TOOLS.values()]
    assert len(order) == len(set(order))
    for item in real_book().entries.values():
        for fix in item.entry.fixes:
            shown = [change.tool for change in fix.config]
            assert len(shown) == len(set(shown)), (item.slug, fix.id)
            assert shown == [tool for tool in TOOLS if tool in shown], (item.slug, fix.id)


@pytest.mark.parametrize(
    ("tool", "config", "message"),
    [
        ("axolotl", {"gradient_chekpointing": True}, "did you mean 'gradient_checkpointing'?"),
        ("axolotl", {"sequence_length": 2048}, "'sequence_length' is not a key"),
        ("axolotl", {"adapter": "qlora", "load_in_4bit": False}, "4bit"),
        (
            "axolotl",
            {"fsdp_config": {"state_dict_typ": "FULL_STATE_DICT"}},
            "fsdp_config.state_dict_typ",
        ),
        ("deepspeed", {"zero_optimisation": {"stage": 2}}, "did you mean 'zero_optimization'?"),
        ("deepspeed", {"zero_optimization": {"stagee": 2}}, "stagee"),
        ("deepspeed", {"fp16": {"enabled": True}, "bf16": {"enabled": True}}, "fp16"),
        ("transformers", {"evaluation_strategy": "steps"}, "evaluation_strategy"),
        ("accelerate", {"fsdp_cfg": {}}, "fsdp_cfg"),
    ],
)
def test_wrong_configurations_are_refused(tool: str, config: dict[str, Any], message: str) -> None:
    assert message in "\n".join(objections(tool, config, fragment=True))


@pytest.mark.parametrize(
    ("tool", "config"),
    [
        ("axolotl", {"gradient_checkpointing": True, "sequence_len": 2048}),
        ("axolotl", {"fsdp_version": 2, "fsdp_config": {"state_dict_type": "FULL_STATE_DICT"}}),
        ("deepspeed", {"zero_optimization": {"stage": 2}, "bf16": {"enabled": True}}),
        ("transformers", {"per_device_train_batch_size": 1, "bf16": True}),
    ],
)
def test_right_configurations_are_accepted(tool: str, config: dict[str, Any]) -> None:
    assert objections(tool, config, fragment=True) == []


def test_snippet_to_paste_is_checked(make_book: Callable[..., Book], entry: dict[str, Any]) -> None:
    entry["projects"] = ["axolotl"]
    snippet = {"code": "gradient_chekpointing: true\n", "language": "yaml"}
    entry["snippets"]["cheaper"] = snippet
    problems = list(valid_snippets(make_book(entry)))
    assert "snippets.cheaper.code: axolotl: 'gradient_chekpointing' is not a key" in str(
        problems[0]
    )


def test_misspelt_key_in_a_text_is_named(
    make_book: Callable[..., Book], entry: dict[str, Any]
) -> None:
    entry["projects"] = ["axolotl"]
    entry["symptom"] = both("Set:\n\n```yaml\nsequence_length: 2048\n```\n")
    problems = list(valid_snippets(make_book(entry)))
    assert "symptom: axolotl: 'sequence_length' is not a key" in str(problems[0])


def test_configuration_is_asked_of_the_tools_unless_a_step_runs_it(tmp_path: Path) -> None:
    book = real_book()
    item = book.entries["vllm-illegal-access-noticed-in-sampler"]
    alone = replace(book, entries={item.slug: item})
    assert not list(valid_snippets(alone))
    (tmp_path / "evidence").mkdir()
    never_run = replace(book, entries={item.slug: replace(item, folder=tmp_path)})
    assert ["runtime-env" in problem.what for problem in valid_snippets(never_run)] == [True]
