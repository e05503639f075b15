"""The command's implementation of diagnosis gives the answers that the vectors hold."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vectors import Python, cases, logs_of, rows, short

PYTHON = Python(rows())
CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_vector(case: dict[str, Any]) -> None:
    assert short(PYTHON.answer(logs_of(case))) == case["expect"]


def test_names_are_unique() -> None:
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names)


def test_every_matcher_can_be_reached() -> None:
    assert [row["name"] for row in rows()["matchers"] if not row["literals"]] == []
