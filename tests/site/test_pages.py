"""Pages beside the articles, and the words of the site."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from fixbook.text import LANGS
from generator.pages.home import home
from generator.pages.navigation import navigation, pages
from generator.pages.symptoms import symptom_page
from generator.text.strings import all_strings
from generator.view.edition import Edition
from tests.site.small_entry import SLUG

if TYPE_CHECKING:
    from fixbook.text import Lang
    from generator.view.library import Library


def test_a_symptom_asks_what_separates_its_causes(library: Library) -> None:
    text = symptom_page("overflow", Edition(library, "zh")).text
    assert "有部件吗？" in text
    assert f"(../../{SLUG}/index.md)" in text


def test_the_home_page_counts(library: Library) -> None:
    text = home(Edition(library, "en")).text
    assert "5 of 7 steps" in text
    assert "<dt>Not yet run on a GPU</dt><dd>2</dd>" in text
    assert '<a href="entries/#out-of-memory">Out of memory</a> <span class="fb-count">1<' in text
    assert '<a href="entries/#widgets">1 entry</a>' in text
    assert "Failures that do not crash" not in text, "no entry of the small book is one"


@pytest.mark.parametrize("lang", LANGS)
def test_every_page_says_what_it_is(library: Library, lang: Lang) -> None:
    for page in pages(Edition(library, lang)):
        front = page.text.split("---\n")[1]
        lines = dict(line.split(": ", 1) for line in front.strip().splitlines())
        assert len(json.loads(lines["description"])) > 5, page.path
        assert "undefined" not in page.text


def test_both_languages_have_the_same_pages(library: Library) -> None:
    zh, en = ([page.path for page in pages(Edition(library, lang))] for lang in LANGS)
    assert zh == en
    navigations = [str(navigation(Edition(library, lang))) for lang in LANGS]
    assert navigations[0].count(".md") == navigations[1].count(".md")


def test_every_string_exists_in_both_languages() -> None:
    for key, texts in all_strings().items():
        assert set(texts) == set(LANGS), key
        zh, en = (set(re.findall(r"\{(\w+)\}", texts[lang])) for lang in LANGS)
        assert zh == en, key


def test_every_string_is_used() -> None:
    from generator.text.templating import FOLDER  # noqa: PLC0415

    files = (*FOLDER.glob("*"), *FOLDER.parent.rglob("*.py"))
    code = "".join(path.read_text("utf-8") for path in files)
    prefixes = tuple(re.findall(r"[\"']([a-z_]+_)(?:\"\s*[~+]|\{|'\s*\+)", code))
    unused = [k for k in all_strings() if f'"{k}"' not in code and not k.startswith(prefixes)]
    assert unused == []


def test_every_category_has_a_page_that_its_name_opens(real_library: Library) -> None:
    edition = Edition(real_library, "en")
    made = {page.path: page.text for page in pages(edition)}
    listed = next(one["Entries"] for one in navigation(edition) if "Entries" in one)
    kinds = {name: found for one in listed[1:] for name, found in one.items()}
    assert "Serving" in kinds
    for name, found in kinds.items():
        first = found if isinstance(found, str) else next(iter(found[0].values()))
        assert f"# {name} " in made[first]
    for dossier in real_library.dossiers.values():
        for category in dossier.entry.categories:
            assert f"(../../{dossier.slug}/index.md)" in made[f"kinds/{category}/index.md"]
