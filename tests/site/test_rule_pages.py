"""A page for each rule, out of its folder and of what a check reports of its fixture."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, get_args

import pytest

from fixbook.book import Prover
from fixbook.config.check import check
from fixbook.config.output import as_sarif
from fixbook.config.read import read_file
from fixbook.problem import BookError
from fixbook.site_address import SITE_VARIABLE
from fixbook.text import LANGS
from generator.pages.rules import rule_index, rule_page
from generator.text.guard import as_text
from generator.text.strings import Words, all_strings
from generator.view.rules import rule_view
from tests.real_book import real_book

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.text import Lang

VIEWS = [rule_view(item) for item in real_book().rules.values()]
MENDED = "deepspeed-fp16-with-bf16"


@pytest.mark.parametrize("lang", LANGS)
def test_page_of_every_rule_shows_its_fixtures_and_its_proof(lang: Lang) -> None:
    for view in VIEWS:
        page = rule_page(view, lang)
        text = as_text(page.text)
        assert page.path == f"rules/{view.item.rule.id}/index.md"
        assert view.fails.text in text
        assert view.passes.text in text
        assert view.proof(Words(lang)) in text
        assert ("``` { .diff }" in text) is bool(view.diff)
        if view.item.entry:
            assert f"(../../{view.item.entry}/index.md)" in text


def test_titles_have_no_open_places() -> None:
    for view in VIEWS:
        for lang in LANGS:
            assert not re.search(r"\{[a-z_.:]+\}", rule_page(view, lang).title)


def test_list_names_every_rule() -> None:
    text = rule_index(VIEWS, "en").text
    assert {view.item.rule.id for view in VIEWS} == set(re.findall(r"\(([\w-]+)/index", text))


def test_every_prover_has_words_and_every_word_a_prover() -> None:
    names = {f"prover_{name.replace('-', '_')}" for name in get_args(Prover)}
    assert names == {key for key in all_strings() if key.startswith("prover_")}


def test_rule_without_fixtures_has_no_page(tmp_path: Path) -> None:
    import dataclasses  # noqa: PLC0415

    item = dataclasses.replace(VIEWS[0].item, folder=tmp_path)
    with pytest.raises(BookError, match="has no fixtures"):
        rule_view(item)


def test_sarif_leads_to_the_page_where_the_site_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    view = next(view for view in VIEWS if view.item.rule.id == MENDED)
    path = view.item.fixture("fails")
    assert path is not None
    report = check([read_file(path)])
    monkeypatch.delenv(SITE_VARIABLE, raising=False)
    rule = as_sarif(report, [], "en")["runs"][0]["tool"]["driver"]["rules"][0]
    assert "helpUri" not in rule
    monkeypatch.setenv(SITE_VARIABLE, "https://example.org/book/")
    rule = as_sarif(report, [], "en")["runs"][0]["tool"]["driver"]["rules"][0]
    assert rule["helpUri"] == f"https://example.org/book/en/rules/{MENDED}/"
