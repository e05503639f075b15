"""A door brings a name when it is asked for, so that a page is put together from what it needs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.book import Entry, Symptom
from fixbook.recipe.record import Evidence
from tests.test_rooms import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel

LAZY = ("fixbook.book", "fixbook.recipe.reading", "fixbook.recipe.record", "fixbook.recipe.running")
# Imports all modules of a room before its door is asked: a module is no name of the door then.
ASK = """
import importlib, pkgutil, sys
room = importlib.import_module(sys.argv[1])
for module in pkgutil.iter_modules(room.__path__, room.__name__ + "."):
    importlib.import_module(module.name)
from fixbook.door import _listed
for name, (place, there) in _listed(room.__name__):
    assert getattr(room, name) is getattr(importlib.import_module(place), there), name
assert not [name for name in room.__all__ if type(getattr(room, name)) is type(sys)]
"""
SHOWN = """
import json, sys
from fixbook.article.shelf import _composed
from fixbook.book_root import book_root
assert _composed(book_root(), sys.argv[1], "en")["slug"] == sys.argv[1]
from pydantic import BaseModel
def below(model):
    for one in model.__subclasses__():
        yield from (one, *below(one))
built = [one.__name__ for one in below(BaseModel)
         if one.__module__.startswith("fixbook.") and one.__pydantic_complete__]
print(json.dumps({"modules": sorted(sys.modules), "built": sorted(set(built))}))
"""


def after(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout


@pytest.fixture(scope="module")
def shown() -> Any:
    return json.loads(after(SHOWN, "nan-loss-fp16"))


@pytest.mark.parametrize("room", LAZY)
def test_what_a_door_lists_is_what_it_brings(room: str) -> None:
    after(ASK, room)


@pytest.mark.parametrize("room", LAZY)
def test_a_name_that_a_door_does_not_list_is_told_as_python_does(room: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{room}' has no attribute 'absent'"):
        sys.modules[room].absent  # noqa: B018


def test_a_page_imports_nothing_that_judges_runs_or_compares_ranges(shown: Any) -> None:
    others = {
        *("psutil", "tomllib", "packaging.specifiers", "packaging.requirements"),
        *("fixbook.book.queries", "fixbook.book.threads", "fixbook.log.diagnose"),
        *("fixbook.recipe.reading.digest", "fixbook.recipe.reading.libraries"),
        *("fixbook.recipe.record.control", "fixbook.recipe.record.readers"),
    }
    assert "fixbook.recipe.record.evidence" in shown["modules"]
    assert not others & set(shown["modules"])


def test_of_the_models_those_that_are_read_are_built_and_no_part_by_itself(shown: Any) -> None:
    # The words of an entry that has none are one built by itself.
    assert shown["built"] == ["Aliases", "Entry", "Evidence"]


@pytest.mark.parametrize("model", [Entry, Symptom, Evidence])
def test_no_pattern_counts_what_a_length_can_say(model: type[BaseModel]) -> None:
    patterns = list(_patterns(model.model_json_schema()))
    counted = [one for one in patterns if re.search(r"\{\d", one)]
    assert patterns or model is Evidence
    assert not counted, "a counted class takes milliseconds to compile: write max_length"


def _patterns(node: Any) -> Iterator[str]:
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        if key == "pattern" and isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            yield from _patterns(value)
