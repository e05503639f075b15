"""What happens to a text on its way to a paste does not cost its answer."""

from __future__ import annotations

import pytest

from bench.finding import Ask, Diagnoser, own_logs, queries
from bench.mutations import MUTATIONS, chosen, losses
from tests.real_book import real_diagnoser, usable_book

MOST_LOST = 0.05


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return real_diagnoser()


@pytest.fixture(scope="module")
def asks(diagnoser: Diagnoser) -> list[Ask]:
    book = usable_book()
    return chosen([*own_logs(book), *queries(book)], diagnoser)


def test_mutations_change_the_text(asks: list[Ask]) -> None:
    for name, mutate in MUTATIONS.items():
        changed = [ask for ask in asks if mutate(ask.text) != ask.text]
        assert len(changed) > len(asks) / 2, name


def test_a_mutated_text_keeps_its_answer(asks: list[Ask], diagnoser: Diagnoser) -> None:
    for name, row in losses(asks, diagnoser).items():
        assert row["wrong"] == [], name
        assert len(row["lost"]) <= MOST_LOST * row["asked"], (name, row["lost"])


# Names of exceptions are told by their capitals.
@pytest.mark.parametrize("name", sorted(MUTATIONS.keys() - {"capitals", "small letters"}))
def test_an_exception_that_no_entry_knows_is_seen(name: str, diagnoser: Diagnoser) -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\n'
    found = diagnoser.diagnosis(MUTATIONS[name](text + "my.pkg.OddError: bad widget 7"))
    assert any("my.pkg.OddError: bad widget 7" in one.line.text for one in found.unknown)
