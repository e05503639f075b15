"""What a step showed, in words, and what a whole run ends with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fixbook.recipe.author.steps import Needs
from fixbook.recipe.record.missing_name import absent_package, missing_name
from fixbook.recipe.record.observation import AS_ON_THE_PAGE, MESSAGES, Observation, Shows
from fixbook.text import i18n
from fixbook.trial.outcome import exit_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]
    Run = Callable[..., str]


def test_every_result_has_its_words() -> None:
    chinese = i18n.translator("zh")
    assert set(MESSAGES) == set(Shows.__args__)  # type: ignore[attr-defined]
    assert all(chinese(message) != message for message in MESSAGES)
    assert set(MESSAGES) > AS_ON_THE_PAGE


@pytest.mark.parametrize(
    ("shown", "code"),
    [
        (["not run"], 3),
        ([], 3),
        (["happens here", "helps here", "no help here", "silent", "not run"], 0),
        (["does not happen here", "shows nothing here"], 6),
        (["happens here", "stopped by another error"], 7),
        (["stopped by another error", "shows nothing here"], 7),
        (["happens here", "does not help here", "stopped by another error"], 1),
        (["happens here", "does not happen here"], 1),
        (["happens here", "advice helps here"], 1),
    ],
)
def test_exit_codes(shown: list[Shows], code: int) -> None:
    assert exit_code([Observation(one) for one in shown]) == code


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ImportError: cannot import name 'Q' from 'click.core' (x.py)", "no Q in click 9"),
        ("ModuleNotFoundError: No module named 'click.gone'", "no click.gone in click 9"),
        ("ModuleNotFoundError: No module named 'no_such_thing'", "no_such_thing is not installed"),
        ("AttributeError: module 'click' has no attribute 'Q'", "no Q in click 9"),
    ],
)
def test_what_a_release_lacks(line: str, said: str) -> None:
    found = missing_name(line, Needs(versions=("click==9",)), {"click": "10"})
    assert found
    assert found.startswith(said)
    assert ("click 10 has it" in found) is ("click 9" in found)
    assert missing_name("ValueError: no", Needs(), {}) is None


def test_a_keyword_that_a_release_does_not_take() -> None:
    line = "TypeError: Model.__init__() got an unexpected keyword argument 'dtype'"
    frame = '  File "<site-packages>/{}/a.py", line 3, in f'
    log = "\n".join([frame.format("torch"), frame.format("click"), line])
    needs = Needs(versions=("click==9",))
    found = missing_name(line, needs, {"click": "10"}, log)
    assert found == "click 9 does not take dtype=, which the step passes; click 10 does"
    assert missing_name(line, needs, {"click": "9"}, log) is None, "the release is not why"
    assert missing_name(line, needs, {"click": "10"}, line) is None, "a mistake of the recipe's own"


def test_no_package_is_named_that_the_entry_was_not_recorded_with() -> None:
    line = "ModuleNotFoundError: No module named 'no_such_thing'"
    assert absent_package(line, line, {"torch"}) is None
    assert absent_package(line, line, {"no-such-thing"}) == "no-such-thing"
    assert absent_package("ModuleNotFoundError: No module named 'click.x'", "", {"click"}) is None
    line = (
        "importlib.metadata.PackageNotFoundError: No package metadata was found for no-such-thing"
    )
    assert absent_package(line, line, {"no-such-thing"}) == "no-such-thing"
