"""Rules on the values that a training logs, and what is no finding."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from fixbook.run_files.console import row_in
from fixbook.run_files.rows import Row, row_of
from fixbook.run_files.rules import SCALE_RUNNING, Rules, judge

if TYPE_CHECKING:
    from collections.abc import Sequence

NAN, INF = math.nan, math.inf


def rows(*named: dict[str, float]) -> list[Row]:
    return [Row(values, step=step) for step, values in enumerate(named, 1)]


def row(
    loss: float = 2.0, norm: float = 1.0, rate: float = 1e-4, **more: float
) -> dict[str, float]:
    return {"loss": loss, "grad_norm": norm, "learning_rate": rate, **more}


def rules_of(*named: dict[str, float]) -> list[str]:
    return [found.rule for found in judge(rows(*named))]


@pytest.mark.parametrize(
    ("named", "rule"),
    [
        ([row(0, NAN)] * 3, "gradient-not-finite"),
        ([row(NAN, NAN)] * 3, "gradient-not-finite"),
        ([{"grad_norm": INF}] * 3, "gradient-not-finite"),
        ([row(2, INF)] * SCALE_RUNNING, "gradient-not-finite-with-loss"),
        ([{"loss": NAN}] * 3, "loss-not-finite"),
        ([row(0, 0)] * 3, "loss-and-gradient-zero"),
        ([row(2, 0)] * 3, "gradient-zero"),
        ([row(rate=0)] * 3, "learning-rate-zero"),
        ([row(), {"eval_runtime": 1.0}], "evaluation-without-metric"),
    ],
)
def test_what_is_found(named: Sequence[dict[str, float]], rule: str) -> None:
    assert rules_of(*named) == [rule]


@pytest.mark.parametrize(
    "named",
    [
        [row()] * 9,
        [row(2, INF), row(2, INF), row(), row(2, INF)] * 4,  # a loss scale that looks for itself
        [row(2, INF)] * (SCALE_RUNNING - 1) + [row()] * 9,  # and one that starts far too high
        [row(0, NAN), row(0, NAN), row()] * 3,
        [row(0, 0, reward=1.0, reward_std=0.0)] * 9,  # GRPO: equal rewards
        [row(0, 1)] * 9,  # GRPO: the loss is 0 by construction
        [row(rate=0)] + [row()] * 5 + [row(rate=0)],  # warm-up and decay
        [row(rate=0)] * 2,
        [{"loss": 0.0}] * 9,
        [row(), {"eval_runtime": 1.0, "eval_loss": 2.0}],
        [row(), {"eval_a_runtime": 1.0, "eval_a_accuracy": 0.5}],
        [{"train_loss": NAN}] * 3,
    ],
)
def test_what_is_healthy(named: Sequence[dict[str, float]]) -> None:
    assert rules_of(*named) == []


def test_where_it_began_and_how_long_it_lasted() -> None:
    (found,) = judge(rows(row(), row(0, NAN), *[row(0, NAN)] * 4), "state")
    assert (found.step, found.source, found.owners) == (2, "state", ("nan-loss-fp16",))
    assert found.says == "grad_norm is not finite in 5 rows running: nan, nan, nan"


def test_a_stream_speaks_once_as_soon_as_it_is_certain() -> None:
    rules = Rules()
    said = [[one.rule for one in rules.add(one)] for one in rows(*[row(0, NAN)] * 5)]
    assert said == [[], [], ["gradient-not-finite"], [], []]


def test_names_and_numbers_as_trackers_write_them() -> None:
    found = row_of(
        [
            *[("train/loss", "nan"), ("lr", "1e-05"), ("Grad Norm", 2), ("eval/loss", 1.5)],
            *[("current_steps", 7), ("name", "x"), ("flag", True), ("none", None), (3, 4)],
        ]
    )
    assert found is not None
    assert math.isnan(found.values["loss"])
    assert (found.values["learning_rate"], found.values["grad_norm"], found.step) == (1e-5, 2, 7)
    assert found.values["eval_loss"] == 1.5
    assert found.values.keys() == {"loss", "learning_rate", "grad_norm", "eval_loss"}


@pytest.mark.parametrize("value", ["", "1" * 50, "0x10", "1_000", "nano", 10**400, [1], {}])
def test_what_is_no_number(value: object) -> None:
    assert row_of([("loss", value)]) is None


@pytest.mark.parametrize(
    ("line", "values"),
    [
        (
            "{'loss': '0', 'grad_norm': 'nan', 'learning_rate': '5e-05', 'epoch': '0.25'}",
            {"loss": 0, "learning_rate": 5e-5},
        ),
        ("{'loss': 4.87, 'grad_norm': 1.07, 'learning_rate': 0.002}", {"loss": 4.87}),
        (
            " iteration 10/ 20 | lm loss: 7.3E-01 | grad norm: 0.752 | number of nan iterations: 0",
            {"loss": 0.73, "grad_norm": 0.752},
        ),
        ("step=3 loss=nan lr=0.0", {"learning_rate": 0}),
        ("{'eval_runtime': '0.5', 'epoch': '1'}", {"eval_runtime": 0.5}),
    ],
)
def test_a_row_in_a_line(line: str, values: dict[str, float]) -> None:
    found = row_in(line)
    assert found is not None
    assert {name: found.values[name] for name in values} == values


@pytest.mark.parametrize(
    "line",
    [
        "learning_rate=0.0, warmup_steps=0",
        "train_loss: nan",
        "aux_loss: 0.0",
        "{'train_runtime': '3.1', 'train_loss': '0'}",
        "loss: tensor",
        "loss_scale=65536",
    ],
)
def test_lines_without_a_row(line: str) -> None:
    assert row_in(line) is None
