"""Mistakes planted into GPU code: each can be planted, and the page says what became of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.planted_gpu.checks import MistakeError, planted
from bench.planted_gpu.mistakes import MISTAKES, Mistake
from bench.planted_gpu.page import Row, page
from fixbook.recipe.author.steps import Needs, Step
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.running.notes import shared_gpu
from fixbook.recipe.running.use_of_gpus import misuses
from tests.real_book import real_book

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE = Path(__file__).parents[1] / "docs/planted-gpu.md"


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.name)
def test_each_can_be_planted(mistake: Mistake, tmp_path: Path) -> None:
    """The texts are those of the book as it is, and so is the step."""
    draft = planted(real_book(), mistake, tmp_path / "spoilt")
    for name, _, new in mistake.edits:
        assert new in (draft.folder / name).read_text("utf-8")
    steps = read_outline(draft.folder / "recipe.py").steps
    assert not mistake.step or mistake.step in steps


def test_a_text_that_is_gone_is_said(tmp_path: Path) -> None:
    """Whoever changes a recipe learns that a mistake has to follow."""
    gone = Mistake("gone", "nan-loss-fp16", "bf16-instead", (("recipe.py", "no such text", ""),))
    with pytest.raises(MistakeError, match="does not hold 'no such text'"):
        planted(real_book(), gone, tmp_path / "spoilt")


def test_the_page_counts_what_was_found() -> None:
    """A check that alone found one is worth more than one that found it as well."""
    rows = [
        Row(Mistake("one", "a", "b", ()), {"CPU": "x", "rehearsal": "y"}, 30.0),
        Row(Mistake("two", "a", "", ()), {"compiler": "sm_120: a | b"}, 30.0),
        Row(Mistake("three", "a", "b", (), why_not="how long it takes"), {}, 0.0),
    ]
    text = page(rows)
    assert "2 of 3 are found, in 1 minutes." in text
    assert "| CPU | 1 | 0 |" in text
    assert "| compiler | 1 | 1 |" in text
    assert r"| two | `a` | compiler | sm_120: a \| b |" in text
    assert "| three | `a/b` | nothing | only a card can say: how long it takes |" in text


def test_the_page_in_docs_has_every_mistake() -> None:
    """It is written by the program; a new mistake asks for a new run."""
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    named = [line.split(" | ")[0].removeprefix("| ") for line in rows]
    assert named[-len(MISTAKES) :] == [mistake.name for mistake in MISTAKES]


def lines(*held: tuple[int, Sequence[int]]) -> str:
    """Return what ranks write down of the GPUs that they have held memory of."""
    return "".join(
        f'{{"rank": {rank}, "allocated": 8}}\n{{"rank": {rank}, "gpus": {list(gpus)}}}\n'
        for rank, gpus in held
    )


def test_two_ranks_on_one_card_are_seen(tmp_path: Path) -> None:
    """NCCL refuses them; gloo, which stands in for it, does not."""
    records = tmp_path / "measures.jsonl"
    records.write_text(lines((0, [0]), (1, [1])), "utf-8")
    assert shared_gpu(records) is None
    records.write_text(lines((0, [0]), (1, [0, 1])), "utf-8")
    assert shared_gpu(records) is None
    records.write_text(lines((0, [0]), (1, [0])), "utf-8")
    assert shared_gpu(records) == 0
    on_any, on_cuda = (Step("it", "fix", Needs(on=on, ranks=2)) for on in ("any", "cuda>=2"))
    assert "two ranks used one GPU, cuda:0" in misuses(on_any, records, "")[0].said
    assert misuses(on_cuda, records, "") == []
    log = "[rank1]: stand-in found: events of two streams\nstand-in found: events of two streams\n"
    assert [one.said for one in misuses(on_cuda, records, log)] == [
        "on a card: events of two streams"
    ]
