"""What a condition can tell of settings that are compared, multiplied, or written elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixbook.config.check import check
from fixbook.config.predicate import holds
from fixbook.config.read import parse
from fixbook.config.setting import UNKNOWN, Place, Section, Setting
from fixbook.config.tools import schema_of

_PLACE = Place(1, 1, 0, 0)
VERL = "python3 -m verl.trainer.main_ppo data.train_batch_size=64"
SFT = "--stage sft --do_train --template llama3 --streaming"


def section(**values: object) -> dict[str, Section]:
    made = Section(schema_of("verl"))
    for key, value in values.items():
        made.add(Setting((key,), value, _PLACE))
    return {"": made}


def told(text: str) -> list[str]:
    return [finding.rule for finding in check([parse(text, Path("run.sh"))]).findings]


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ({"batch": 8, "mini": 16}, True),
        ({"batch": "8", "mini": 8}, False),
        ({"batch": 8}, False),
        ({"mini": 8}, False),
        ({"batch": 8, "mini": UNKNOWN}, None),
        ({"batch": "many", "mini": 16}, False),
    ],
)
def test_less_than_another_key(values: dict[str, object], answer: bool | None) -> None:  # noqa: FBT001
    assert holds({"key": "batch", "below": "mini"}, section(**values)) is answer


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ({"torch": "2.2.2+cu121"}, True),
        ({"torch": "2.10.0"}, False),
        ({"torch": "2.3.0rc1"}, False),
        ({"torch": "not a version"}, False),
        ({"torch": 2.2}, False),
        ({"torch": None}, False),
        ({}, False),
        ({"torch": UNKNOWN}, None),
    ],
)
def test_version_within_a_range(values: dict[str, object], answer: bool | None) -> None:  # noqa: FBT001
    assert holds({"key": "torch", "within": "<2.3"}, section(**values)) is answer


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ({"batch": 60, "answers": 5, "gpus": 8}, True),
        ({"batch": 64, "answers": 5, "gpus": 8}, False),
        ({"batch": 60, "gpus": 8}, True),
        ({"answers": 5, "gpus": 8}, False),
        ({"batch": 60, "answers": UNKNOWN, "gpus": 8}, None),
        ({"batch": 60, "answers": "five", "gpus": 8}, False),
        ({"batch": 60, "answers": 5, "gpus": 0}, False),
        ({"batch": 60, "answers": 5, "gpus": -8}, False),
    ],
)
def test_product_of_two_keys(values: dict[str, object], answer: bool | None) -> None:  # noqa: FBT001
    condition = {"key": "batch*answers", "indivisible": ["gpus"]}
    assert holds(condition, section(**values)) is answer


def test_what_a_command_does_not_say_may_stand_elsewhere() -> None:
    assert told(VERL) == ["verl-micro-batch-missing"]
    for more in ('"$@"', "$EXTRA", "--config-name=mine", '"${MORE[@]}"'):
        assert told(f"{VERL} {more}\n") == []
    assert told(f"MORE=(trainer.nnodes=1)\n{VERL} ${{MORE[@]}}\n") == ["verl-micro-batch-missing"]


def test_flags_beside_a_file_of_settings() -> None:
    rule = "llamafactory-streaming-without-max-steps"
    assert told(f"llamafactory-cli train {SFT}\n") == [rule]
    assert told(f"llamafactory-cli train sft.yaml {SFT}\n") == []
    assert told(f'llamafactory-cli train {SFT} true "$@"\n') == []


def test_choice_of_a_group_of_settings_is_a_key() -> None:
    dynamic = "actor_rollout_ref.actor.use_dynamic_bsz=True"
    chosen = "model_engine=megatron actor@actor_rollout_ref.actor=megatron_actor"
    assert told(f"{VERL} {dynamic} {chosen}\n") == []


def test_file_of_settings_is_completed_on_the_command_line() -> None:
    text = (
        "actor_rollout_ref:\n  actor:\n    ppo_mini_batch_size: 8\ndata:\n  train_batch_size: 8\n"
    )
    assert check([parse(text, Path("ppo.yaml"))]).findings == []


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ({"steps": 3, "other": 4}, True),
        ({"steps": 3, "other": "3"}, False),
        ({"steps": 3}, False),
        ({"other": 3}, False),
        ({}, False),
        ({"steps": "auto", "other": 3}, False),
        ({"steps": 3, "other": "auto"}, False),
        ({"steps": 3, "other": UNKNOWN}, None),
    ],
)
def test_set_to_something_else(values: dict[str, object], answer: bool | None) -> None:  # noqa: FBT001
    assert holds({"key": "steps", "differs": "other"}, section(**values)) is answer


@pytest.mark.parametrize(
    ("condition", "value", "answer"),
    [
        ({"over": 1}, 2.5, True),
        ({"over": 1}, 1, False),
        ({"over": 1}, 0, False),
        ({"under": 1}, 0.5, True),
        ({"under": 1}, 1, False),
        ({"under": 1}, 2, False),
        ({"is": True}, "TRUE", True),
        ({"is": True}, True, True),
        ({"is": False}, True, False),
        ({"is": False}, None, False),
        ({"is": 1000}, "1e3", True),
        ({"set": True}, None, False),
    ],
)
def test_a_value_by_itself(condition: dict[str, object], value: object, answer: bool) -> None:  # noqa: FBT001
    assert holds({"key": "size", **condition}, section(size=value)) is answer


@pytest.mark.parametrize(
    ("first", "second", "any_of", "all_of"),
    [
        (1, 1, True, True),
        (1, 0, True, False),
        (0, 0, False, False),
        (UNKNOWN, 1, True, None),
        (UNKNOWN, 0, None, False),
        (UNKNOWN, UNKNOWN, None, None),
    ],
)
def test_unknown_answers_in_lists(
    first: object,
    second: object,
    any_of: bool | None,  # noqa: FBT001
    all_of: bool | None,  # noqa: FBT001
) -> None:
    parts = [{"key": "one", "is": 1}, {"key": "two", "is": 1}]
    known = section(one=first, two=second)
    assert holds({"any": parts}, known) is any_of
    assert holds({"all": parts}, known) is all_of
    assert holds({"not": {"any": parts}}, known) is (None if any_of is None else not any_of)
