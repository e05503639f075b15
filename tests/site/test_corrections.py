"""A page says where its mistakes are told and mended; a book that is kept nowhere does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.repository import FILE, REPOSITORY_VARIABLE
from generator.site.build import build_site
from generator.view.library import load_library
from tests.site.small_book import write_book

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_pages_lead_to_where_they_are_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(REPOSITORY_VARIABLE, raising=False)
    root = write_book(tmp_path / "book")
    (root / FILE).write_text("https://example.org/a/b\n", "utf-8")
    library = load_library(root)
    build_site(library, tmp_path / "site", "https://example.com")
    slug, symptom = next(iter(library.dossiers)), next(iter(library.symptoms))
    pages = {
        slug: f"recipes/{slug}/entry.yaml",
        f"symptoms/{symptom}": f"symptoms/{symptom}.yaml",
    }
    for lang, words in (("en", "Edit this page"), ("zh", "修改本页")):
        for page, source in pages.items():
            html = (tmp_path / "site" / lang / page / "index.html").read_text("utf-8")
            assert f'href="https://example.org/a/b/edit/main/{source}"' in html
            told = f"https://example.org/a/b/issues/new?template=wrong-sentence.yml&amp;title={page.rpartition('/')[2]}"
            assert f'href="{told}&amp;page=%2F{lang}%2F' in html
            assert words in html
        home = (tmp_path / "site" / lang / "index.html").read_text("utf-8")
        assert words not in home
