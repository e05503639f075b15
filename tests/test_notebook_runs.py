"""Notebooks of entries run as a reader's Jupyter runs them: every cell, from an installed wheel."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bench.notebooks import TWELVE, Jupyter, jupyter
from tests.real_book import real_book

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.text import Lang

# The kernel is on this machine: nobody else hears what it says.
pytestmark = pytest.mark.filterwarnings("ignore:.*without encryption")
ALWAYS = 2
_ABSENT = re.compile(r"No module named '?([\w.]+)")
_OPTIONAL = {"kernels"}  # of bitsandbytes, which warns and goes on
_WHOLE = {"en": r"\((\d+)\s+of\s+(\d+)\)", "zh": r"（(\d+)/(\d+)）"}  # of the failure, of the fixes


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Jupyter]:
    with jupyter(tmp_path_factory.mktemp("jupyter")) as made:
        yield made


def check(reader: Jupyter, slug: str, lang: Lang) -> None:
    printed = reader.run(real_book(), slug, lang).printed
    assert list(printed) == ["install", "failure", "measurement", "fix", "verdict"]
    assert "ERROR" not in printed["install"], printed["install"]
    for text in printed.values():
        assert "\x1b" not in text
        assert "\r" not in text
        assert set(_ABSENT.findall(text)) <= _OPTIONAL, text
    # All of both: what else a step measures may differ on a machine that is busy.
    wholes = re.findall(_WHOLE[lang], printed["verdict"].rstrip().rpartition("\n\n")[2])
    assert len(wholes) == 2, printed["verdict"]
    assert all(0 < int(as_said) == int(ran) for as_said, ran in wholes), printed["verdict"]


@pytest.mark.parametrize(("slug", "lang"), list(zip(TWELVE[:ALWAYS], ("en", "zh"), strict=True)))
def test_a_notebook_runs(slug: str, lang: Lang, reader: Jupyter) -> None:
    check(reader, slug, lang)


@pytest.mark.parametrize("slug", TWELVE[ALWAYS:])
def test_a_notebook_in_its_turn(slug: str, reader: Jupyter) -> None:
    check(reader, slug, "en")
