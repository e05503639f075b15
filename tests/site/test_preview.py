"""A change in one entry builds its pages alone, as the whole site would have them."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from fixbook.book_root import BOOK_VARIABLE
from fixbook.problem import BookError
from generator.site.build import SiteError, build_site
from generator.site.preview import Preview
from generator.view.library import load_library
from tests.site.small_book import write_book
from tests.site.small_entry import SLUG

if TYPE_CHECKING:
    from pathlib import Path

ADDRESS = "http://127.0.0.1:8000"
LOUD = "Louder than before."


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small book, with the site and the trees that were built of it."""
    folder = tmp_path_factory.mktemp("preview")
    library = load_library(write_book(folder / "book"), draft=True)
    build_site(library, folder / "site", ADDRESS, folder / "build")
    return folder


@pytest.fixture
def folder(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of all that, whose book is the one that is found."""
    copy = tmp_path / "copy"
    shutil.copytree(built, copy)
    monkeypatch.setenv(BOOK_VARIABLE, str(copy / "book"))
    return copy


@pytest.fixture
def preview(folder: Path) -> Preview:
    library = load_library(folder / "book", draft=True)
    return Preview(library, folder / "site", ADDRESS, folder / "build")


def _entry(folder: Path) -> Path:
    return (folder / "book/recipes" / SLUG / "entry.yaml").resolve()


def _pages(folder: Path) -> dict[str, bytes]:
    paths = [path for lang in ("zh", "en") for path in (folder / "site" / lang / SLUG).rglob("*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths if path.is_file()}


def test_a_changed_entry_gets_the_pages_that_the_whole_site_would_give_it(
    folder: Path, preview: Preview
) -> None:
    before, entry = _pages(folder), _entry(folder)
    listing = folder / "site/en/feed.xml"
    old = load_library(folder / "book", draft=True).book.get(SLUG).entry.summary.en
    entry.write_text(entry.read_text("utf-8").replace(old, LOUD), "utf-8")
    assert preview.rebuild({entry}) == [SLUG]
    alone = _pages(folder)
    assert alone.keys() == before.keys()
    assert LOUD.encode() in alone[f"site/en/{SLUG}/index.html"]
    assert LOUD not in listing.read_text("utf-8")
    elsewhere = folder / "book/symptoms/anything.yaml"
    assert preview.rebuild({entry, elsewhere.resolve()}) == []
    assert _pages(folder) == alone
    assert LOUD in listing.read_text("utf-8")
    assert preview.rebuild({entry}) == [SLUG]
    assert _pages(folder) == alone


def test_a_broken_entry_costs_its_pages_nothing(folder: Path, preview: Preview) -> None:
    before, entry = _pages(folder), _entry(folder)
    text = entry.read_text("utf-8")
    entry.write_text("title: [\n", "utf-8")
    with pytest.raises(BookError, match=r"entry\.yaml"):
        preview.rebuild({entry})
    assert _pages(folder) == before
    entry.write_text(text, "utf-8")
    assert preview.rebuild({entry}) == [SLUG]
    assert _pages(folder) == before


def test_an_error_stands_until_it_is_mended(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages of other entries are built meanwhile."""
    built: list[str] = []
    monkeypatch.setattr(Preview, "_build", lambda _self, _library, slug, _lang: built.append(slug))
    monkeypatch.setattr("generator.site.preview.build_site", lambda *_: built.append("whole"))
    monkeypatch.setattr("generator.site.preview.replace_folder", lambda *_: None)
    entry, whole = _entry(folder), (folder / "book/symptoms/anything.yaml").resolve()
    other = shutil.copytree(entry.parent, entry.parent.with_name("another")) / "entry.yaml"
    library = load_library(folder / "book", draft=True)
    preview = Preview(library, folder / "site", ADDRESS, folder / "build")
    text = entry.read_text("utf-8")
    entry.write_text("title: [\n", "utf-8")
    with pytest.raises(BookError):
        preview.rebuild({entry})
    assert preview.rebuild({other}) == ["another"]
    assert preview.rebuild({other, entry}) == ["another"]
    assert [*preview.errors] == [SLUG]
    assert f"{SLUG}/entry.yaml" in preview.errors[SLUG]
    with pytest.raises(BookError):
        preview.rebuild({whole})
    assert preview.rebuild({other}) == ["another"], "the whole site is still to be built"
    assert preview.errors.keys() == {SLUG, ""}
    assert set(built) == {"another"}
    entry.write_text(text, "utf-8")
    assert preview.rebuild({entry}) == []
    assert built[-1] == "whole"
    assert not preview.errors


def test_a_page_that_no_site_may_have_is_refused(
    folder: Path, preview: Preview, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _pages(folder)
    bad = "<head><article><script>alert(1)</script></article>"
    monkeypatch.setattr("generator.site.material.SinglePages.render", lambda _self, _path: bad)
    with pytest.raises(SiteError, match="script"):
        preview.build(SLUG)
    assert _pages(folder) == before


@pytest.mark.parametrize("path", ["recipes/no-such-entry/entry.yaml", "recipes", "../elsewhere.md"])
def test_what_is_of_no_known_entry_asks_for_the_whole(
    path: str, folder: Path, preview: Preview, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr("generator.site.preview.build_site", lambda *given: asked.append(given))
    monkeypatch.setattr("generator.site.preview.replace_folder", lambda *_: None)
    assert preview.rebuild({(folder / "book" / path).resolve()}) == []
    assert len(asked) == 1
