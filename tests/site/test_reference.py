"""The author's reference says everything that the code takes, in both languages."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import pytest

from fixbook.book import Entry, docstring_items, docstring_summary, read_yaml
from fixbook.recipe.author.steps import Needs
from fixbook.text import LANGS
from generator.pages.reference import reference_page, shortest
from generator.view import reference
from generator.view.edition import Edition
from generator.view.library import Dossier
from tests.site.small_entry import SLUG

if TYPE_CHECKING:
    from fixbook.text import Lang
    from generator.view.library import Library


def test_every_field_and_argument_is_described() -> None:
    for model in reference.MODELS:
        lacking = [field.name for field in reference.fields_of(model) if not field.text]
        assert not lacking, f"{model.__name__}: {lacking}; add them under 'Attributes'"
    for function in (*reference.DECORATORS, *reference.FUNCTIONS):
        asked = set(inspect.signature(function).parameters)
        told = {name.lstrip("*") for name in docstring_items(function, "Args")}
        assert asked == told, function.__name__
    assert set(Needs.__dataclass_fields__) == set(docstring_items(Needs))


def test_every_text_is_there_in_chinese() -> None:
    rows = read_yaml(reference.TRANSLATIONS).value
    english = [row["en"] for row in rows]
    assert len(set(english)) == len(english)
    asked = set(reference.texts())
    assert not asked - set(english), "add these to generator/view/reference.yaml"
    assert not set(english) - asked, "the code says these no more: remove them"


@pytest.mark.parametrize("lang", LANGS)
def test_page(library: Library, lang: Lang) -> None:
    text = reference_page(Edition(library, lang)).text
    for name in Entry.model_fields:
        assert f"**`{name}`**" in text
    for name in ("controls", "other-logs"):
        assert f"`{name}`" in text
    assert f"({SLUG}/index.md)" in text, "the shortest entry is the example"
    assert "it_overflows" in text
    for model in reference.MODELS:
        assert f"{{: #{model.__name__.lower()} }}" in text


def test_each_function_is_imported_as_it_says(library: Library) -> None:
    text = reference_page(Edition(library, "en")).text
    for function in (*reference.DECORATORS, *reference.FUNCTIONS):
        line = reference.import_of(function)
        names: dict[str, object] = {}
        exec(line, names)  # noqa: S102  (a line of our own)
        assert names[function.__name__] is function
        assert f"`{line}`" in text


def test_a_scaffold_is_no_example(library: Library) -> None:
    read = Dossier.read

    def unfinished(dossier: Dossier, name: str) -> str:
        return "title: TODO\n" if name == "entry.yaml" else read(dossier, name)

    assert shortest(library) is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Dossier, "read", unfinished)
        assert shortest(library) is None


def test_docstrings_are_read_in_parts() -> None:
    def documented() -> None:
        """Do it.

        At once.

        Args:
            first: One
                and more.
            **rest: Two.

        Raises:
            ValueError: Never.
        """

    assert docstring_summary(documented) == "Do it. At once."
    assert docstring_items(documented, "Args") == {"first": "One and more.", "**rest": "Two."}
    assert docstring_items(documented, "Raises") == {"ValueError": "Never."}
    assert docstring_items(documented) == {}
