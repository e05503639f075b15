"""Lines of public threads about CUDA, NCCL and cards, and the message that answers each."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.book import read_yaml
from fixbook.log.answer import answer_of
from tests.real_book import real_finder, real_rows

if TYPE_CHECKING:
    from fixbook.log.finder import Finder

LINES = read_yaml(Path(__file__).with_name("message_lines.yaml")).value


@functools.cache
def book() -> tuple[dict[str, Any], Finder]:
    return real_rows(), real_finder()


def answered(line: str) -> str | None:
    rows, finder = book()
    answer = answer_of(finder.diagnosis(f"{line}\n"), rows, [], "en")["answer"]
    return answer and str(answer.get("symptom") or answer.get("slug"))


@pytest.mark.parametrize(
    ("line", "message"),
    [(line, message) for message, lines in LINES["messages"].items() for line in lines],
)
def test_a_line_leads_to_its_message(line: str, message: str) -> None:
    assert answered(line) == message


@pytest.mark.parametrize("line", LINES["nothing"])
def test_a_line_of_a_sound_run_leads_nowhere(line: str) -> None:
    assert answered(line) is None
