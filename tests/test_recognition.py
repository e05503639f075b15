"""What the shipped book answers to logs that were once answered wrongly."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.log.answer import answer_of
from tests.real_book import real_finder, real_rows

if TYPE_CHECKING:
    from fixbook.log.finder import Finder

PACKED = (
    "size mismatch for model.layers.0.mlp.gate_proj.weight: copying a param with shape "
    "torch.Size([22544384, 1]) from checkpoint, the shape in current model is "
    "torch.Size([1, 8388608])."
)
OVERFLOW = "[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: {}, reducing to {}\n"
OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
BARS = "".join(f"  5%|#    | {at}/1000 [01:00<19:00,  1.20s/it]\n" for at in (51, 52, 53))


@functools.cache
def book() -> tuple[dict[str, Any], Finder]:
    return real_rows(), real_finder()


def answer(log: str) -> dict[str, Any]:
    rows, finder = book()
    return answer_of(finder.diagnosis(log), rows, [], "en")


METRIC = (
    "KeyError: \"The `metric_for_best_model` training argument is set to 'eval_f1', which is not "
    "found in the evaluation metrics. The available evaluation metrics are: []."
)
TIMED_OUT = (
    "[W socket.cpp:601] [c10d] The client socket has failed to connect to [node0]:29500 "
    "(errno: 110 - Connection timed out).\n"
)
LENGTH = "TypeError: GRPOConfig.__init__() got an unexpected keyword argument 'max_prompt_length'"


@pytest.mark.parametrize(
    ("log", "first"),
    [
        (PACKED, "size-mismatch-wrong-architecture/keep-quantization"),
        (LENGTH, "sfttrainer-api-moved-kwarg/drop-long-prompts"),
        (METRIC, "trainer-best-metric-missing/label-names"),
    ],
)
def test_the_first_fix(log: str, first: str) -> None:
    found = answer(log)["answer"]
    assert f"{found['slug']}/{found['fixes'][0]['id']}" == first


def test_who_could_not_connect_is_not_told_that_a_rank_died() -> None:
    found = answer(TIMED_OUT + "RuntimeError: Connection reset by peer\n")
    assert found["answer"]["symptom"] == "rendezvous-timeout"


@pytest.mark.parametrize("log", [OOM, OVERFLOW.format(64, 32) + OVERFLOW.format(32, 16)])
def test_what_a_run_got_over_is_said(log: str) -> None:
    assert answer(log)["goes_on"] is None
    assert answer(log + BARS)["goes_on"] == {"line": log.count("\n") + 3, "sure": True}


def test_what_ended_the_run_comes_first() -> None:
    found = answer(f"{OOM}{BARS}ValueError: the frobnicator is not known to the book\n")
    assert found["kind"] == "unknown"
    assert found["exception"]["kind"] == "ValueError"
    assert found["runner_ups"][0]["symptom"] == "out-of-memory"


ASSERT = "RuntimeError: CUDA error: device-side assert triggered"


@pytest.mark.parametrize(
    ("log", "known"),
    [
        (f'{{"level": "error", "msg": "{ASSERT}"}}\n', True),
        (f'{{"log": "{ASSERT}\\n", "stream": "stderr"}}\n', True),
        (f'{{"text": "2026-11-29 10:00:00 | ERROR | {ASSERT}\\n", "record": {{}}}}\n', True),
        (f'{{"text": "{ASSERT}", "level": "error"}}\n', True),
        (f"User: alice\n{ASSERT}\n", True),
        (f'{{"text": "My run ends with {ASSERT}"}}\n', False),
        (f'{{"text": "Mein Lauf endet: {ASSERT}", "label": 3}}\n', False),
        (f"Human: I get {ASSERT}\n", False),
    ],
)
def test_json_logs_are_logs_and_samples_of_data_are_not(log: str, *, known: bool) -> None:
    found = answer(log)["answer"]
    assert (found is not None and found["symptom"] == "device-side-assert") == known
