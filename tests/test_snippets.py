"""Published configurations are accepted by the real tools, and misspelt keys are not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from fixbook.book import load_book
from fixbook.config.real_tools import objections
from fixbook.gates.snippets import valid_snippets
from tests.conftest import both

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

# The tools warn about their own dependencies.
pytestmark = [pytest.mark.recipes, pytest.mark.filterwarnings("default")]


def test_every_published_snippet_is_valid() -> None:
    problems = list(valid_snippets(load_book()))
    assert not problems, "\n".join(map(str, problems))


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


def test_misspelt_key_in_a_text_is_named(
    make_book: Callable[..., Book], entry: dict[str, Any]
) -> None:
    entry["projects"] = ["axolotl"]
    entry["fix_now"] = both("Set:\n\n```yaml\nsequence_length: 2048\n```\n")
    problems = list(valid_snippets(make_book(entry)))
    assert "fix_now: axolotl: 'sequence_length' is not a key" in str(problems[0])
