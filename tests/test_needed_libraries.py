"""Which libraries a step needs, and which versions its records hold."""

from __future__ import annotations

import dataclasses
import importlib.metadata
from typing import TYPE_CHECKING

import pytest

from fixbook.book import load_entry
from fixbook.recipe.reading import libraries
from fixbook.recipe.reading.digest import entry_uses
from fixbook.recipe.reading.libraries import needed_distributions, with_libraries
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.reading.uses import Uses
from tests.recipe_in_parts import replace, write_recipe

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_recipe(tmp_path)


def test_a_step_needs_its_own_libraries_only(folder: Path) -> None:
    item = load_entry(folder)
    outline = read_outline(item.recipe)
    uses = entry_uses(item, outline)
    assert needed_distributions(outline, uses["mended"]) == ["torch"]
    assert needed_distributions(outline, uses["looked"]) == ["torch", "PyYAML"]
    packages = {
        step.name: step.needs.packages
        for step in with_libraries(item, outline, outline.steps.values())
    }
    assert packages["looked"] == ("torch", "PyYAML")


def test_what_a_step_brings_itself_it_needs_of_no_machine(folder: Path) -> None:
    replace(folder, "recipe.py", "found=True", 'found=True, versions=["pyyaml==6.0.2"]')
    item = load_entry(folder)
    outline = read_outline(item.recipe)
    (looked,) = with_libraries(item, outline, [outline.steps["looked"]])
    assert looked.needs.packages == ("torch",)


def test_versions_are_those_of_what_libraries_build_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step that imports the first alone depends on the second and the third, not on the last."""
    below = {"peft": {"transformers"}, "transformers": {"tokenizers"}}
    monkeypatch.setattr(libraries, "_requires", lambda name: below.get(name, set()))
    monkeypatch.setattr(libraries, "installed_version", lambda _: "1.0")
    header = '# /// script\n# dependencies = ["tokenizers", "peft", "torch", "transformers"]\n# ///'
    outline = dataclasses.replace(read_outline(folder / "recipe.py"), header=header)
    uses = Uses((), (), (), frozenset({"peft"}), frozenset())
    assert set(libraries.versions_for(outline, uses)) == {"peft", "transformers", "tokenizers"}


@pytest.mark.parametrize(
    ("said", "names"),
    [
        (["Tokenizers<0.20; python_version > '3'", "((", "hf_xet>=1; extra == 'fast'"], 2),
        ([], 0),
        (None, 0),
    ],
)
def test_what_a_distribution_builds_on(
    said: list[str] | None, names: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.metadata, "requires", lambda _: said)
    assert libraries._requires("some") == set(["tokenizers", "hf-xet"][:names])


def test_what_is_not_installed_builds_on_nothing() -> None:
    assert libraries._requires("no-such-distribution") == set()
