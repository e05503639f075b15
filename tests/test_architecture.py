"""The pages on the code itself: the picture is the imports', walks and words are the code's."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.gates.terms import read_terms
from fixbook.text import LANGS
from generator.text.page_text import length
from tests.test_rooms import imported

if TYPE_CHECKING:
    from fixbook.text import Lang

ROOT = Path(__file__).resolve().parent.parent
DRAW = ROOT / "scripts/draw-rooms"
WALKS = {lang: (ROOT / f"docs/{lang}/architecture.md").read_text("utf-8") for lang in LANGS}
WORDS = {lang: (ROOT / f"docs/{lang}/glossary.md").read_text("utf-8") for lang in LANGS}
MOST = {"en": 900, "zh": 1500}
CODE = re.compile(r"`((?:fixbook|generator)(?:\.\w+)+)`")


@pytest.fixture(scope="module")
def picture() -> Any:
    loader = SourceFileLoader("draw_rooms", str(DRAW))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))  # type: ignore[arg-type]
    loader.exec_module(module)
    return module


def walks(page: str) -> list[list[str]]:
    """Return the modules of each numbered list, in order."""
    lists = re.findall(r"(?m)(?:^\d+\. .*\n)+", page)
    return [re.findall(r"(?m)^\d+\. +`([\w.]+)`", one) for one in lists]


def source_of(module: str) -> str:
    spec = importlib.util.find_spec(module)
    assert spec, f"{module} does not exist"
    assert spec.origin, f"{module} has no source"
    return Path(spec.origin).read_text("utf-8")


def leads_to(module: str, other: str) -> bool:
    """Tell whether a module imports another, by its door perhaps, or starts it by its name."""
    text = source_of(module)
    named = {name for name in imported(text) if other.startswith(name + ".")}
    behind = {name for door in named for name in imported(source_of(door))}
    return other in {*imported(text), *behind} or f'"{other}"' in text


def test_the_picture_is_that_of_the_imports() -> None:
    answer = subprocess.run(
        [sys.executable, DRAW, "--check"], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr


def test_another_import_is_another_picture(picture: Any) -> None:
    every = picture.arrows()
    assert ("cli", "gates") in every
    assert picture.draw("en", every | {("bundle", "machine")}) != picture.draw("en", every)
    assert picture.room_of("fixbook.recipe.record.store") == "record"
    assert picture.room_of("fixbook.files") == picture.SINGLE
    assert picture.room_of("torch.cuda") == ""
    with pytest.raises(ValueError, match="cycle"):
        picture.needed(every | {("text", "cli")})


def test_an_arrow_is_left_out_only_where_a_longer_way_leads(picture: Any) -> None:
    assert picture.needed({("a", "b"), ("b", "c"), ("a", "c")}) == {("a", "b"), ("b", "c")}
    assert picture.needed({("a", "b"), ("a", "c")}) == {("a", "b"), ("a", "c")}


@pytest.mark.parametrize("lang", LANGS)
def test_the_page_is_short_and_shows_the_picture(lang: Lang) -> None:
    assert length(WALKS[lang].partition("---\n\n")[2], lang) <= MOST[lang]
    assert "(rooms.svg)" in WALKS[lang]


def test_each_step_of_a_walk_leads_on_from_one_before() -> None:
    found = walks(WALKS["en"])
    assert len(found) == 3
    assert found == walks(WALKS["zh"])
    for walk in found:
        for number, module in enumerate(walk[1:], start=1):
            before = walk[:number]
            joined = any(leads_to(one, module) or leads_to(module, one) for one in before)
            assert joined, f"{module} has to do with none of {before}"


def test_every_name_in_the_pages_is_one_of_the_code() -> None:
    for lang in LANGS:
        for page in (WALKS, WORDS):
            names = CODE.findall(page[lang])
            assert names
            for name in names:
                assert exists(name), f"{lang}: there is no {name}"
    assert not exists("fixbook.book.Failure")
    assert not exists("fixbook.recipe.verify")


def exists(name: str) -> bool:
    """Tell whether a dotted name is that of a module, or of something in one."""
    parts = name.split(".")
    for split in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:split]))
        except ModuleNotFoundError:
            continue
        for part in parts[split:]:
            if not hasattr(found, part) and part not in getattr(found, "__annotations__", ()):
                return False
            found = getattr(found, part, None)
        return True
    return False


def rows(page: str) -> list[list[str]]:
    """Return the cells of the tables of the glossary, without their heads."""
    lines = re.findall(r"(?m)^\| (.+) \|$", page)
    return [cells for line in lines if len(cells := line.split(" | ")) == 3 and "`" in cells[2]]


def test_both_languages_explain_the_same_words() -> None:
    english, chinese = rows(WORDS["en"]), rows(WORDS["zh"])
    assert [row[2] for row in english] == [row[2] for row in chinese]
    for row in english:
        assert CODE.search(row[2]) or "/" in row[2], f"{row[0]}: name a class, a module or a folder"
    names = [row[0] for row in english]
    assert len(set(names)) == len(names)


def test_words_are_those_of_the_list_of_terms() -> None:
    terms = {term.en: term.zh for term in read_terms(ROOT / "terms.yaml").terms}
    for english, chinese in zip(rows(WORDS["en"]), rows(WORDS["zh"]), strict=True):
        if english[0] in terms:
            assert terms[english[0]] in chinese[0]
