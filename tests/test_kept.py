"""What is kept of a book is that of its newest state, and does not pile up."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.api.book import Book
from fixbook.article import shelf
from fixbook.book_root import book_root
from fixbook.kept import kept
from fixbook.laid_out import laid_out, rows_of

if TYPE_CHECKING:
    from pathlib import Path

MONTHS_S = 100 * 24 * 3600


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "fixbook"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    entry = tmp_path / "book/recipes/one"
    entry.mkdir(parents=True)
    (entry / "entry.yaml").write_text("first", "utf-8")
    return tmp_path / "book"


def length(root: Path) -> dict[str, Any]:
    return {"n": len((root / "recipes/one/entry.yaml").read_text("utf-8"))}


def test_what_an_earlier_state_made_is_replaced(book: Path, folder: Path) -> None:
    assert kept(book, "length", length, {"n"}) == {"n": 5}
    (book / "recipes/one/entry.yaml").write_text("another", "utf-8")
    assert kept(book, "length", length, {"n"}) == {"n": 7}
    assert len([*folder.iterdir()]) == 1


def test_another_book_keeps_its_own_until_it_is_old(book: Path, folder: Path) -> None:
    other = book.parent / "other"
    kept(other, "length", lambda _: {"n": 0}, {"n"})
    kept(book, "length", length, {"n"})
    assert len([*folder.iterdir()]) == 2
    for path in folder.iterdir():
        os.utime(path, (time.time() - MONTHS_S,) * 2)
    (book / "recipes/one/entry.yaml").write_text("another", "utf-8")
    kept(book, "length", length, {"n"})
    assert len([*folder.iterdir()]) == 1


def test_a_page_is_made_again_for_its_own_files_and_the_names_of_others(book: Path) -> None:
    own, other = book / "recipes/one", book / "recipes/other"
    for folder in (own / "configs", other / "evidence"):
        folder.mkdir(parents=True)
    (own / "configs/after.yaml").write_text("first", "utf-8")
    (other / "entry.yaml").write_text("title", "utf-8")
    made: list[str] = []

    def page(change: str) -> dict[str, Any]:
        def build(_: Path) -> dict[str, Any]:
            made.append(change)
            return {"kind": change}

        return kept(book, "page", build, {"kind"}, shelf.parts_of(book, "one"))

    page("first")
    (other / "evidence/cpu.json").write_text("{}", "utf-8")
    page("another's evidence")
    (other / "entry.yaml").write_text("another title", "utf-8")
    page("another's title")
    (own / "configs/after.yaml").write_text("changed", "utf-8")
    page("its own configuration")
    assert made == ["first", "another's title", "its own configuration"]


def test_a_message_has_no_folder_of_its_own() -> None:
    name = "accelerate-config-keys"
    assert Book().page(name)["slug"] == name
    assert f"{book_root()}/symptoms" in shelf.parts_of(book_root(), name)


def test_a_page_is_put_together_once(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Book().page("nan-loss-fp16", "zh")
    monkeypatch.setattr(shelf, "_composed", lambda *_, **__: pytest.fail("made again"))
    assert Book().page("nan-loss-fp16", "zh") == page
    with pytest.raises(pytest.fail.Exception):
        shelf.read_page(book_root(), "nan-loss-fp16", "en")


def test_parts_that_are_seldom_needed_are_parsed_when_they_are_taken() -> None:
    rows = {"titles": {"one": "a\nb"}, "search": [["word", 1]], "fixes": {}}
    text = laid_out(rows, ("search", "nothing", "fixes"))
    read = rows_of(text.encode())
    assert read.keys() == {"titles"}
    assert [read["titles"], read["search"], read["fixes"]] == [*rows.values()]
    assert read.keys() == rows.keys()
    with pytest.raises(KeyError):
        read["nothing"]
    assert rows_of(laid_out(rows, ()).encode()) == rows
    assert rows_of(b'{"n": 1}\n') == {"n": 1}


@pytest.mark.parametrize(
    "broken", ["", "[]", "1", '{"later": ["a"]}', '{"later": []}\n{}', "{}\n{}"]
)
def test_what_was_not_laid_out_is_no_data(broken: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        rows_of(broken.encode())


def test_a_file_that_breaks_off_is_made_again(book: Path, folder: Path) -> None:
    def build(_: Path) -> dict[str, Any]:
        return {"n": 1, "search": ["word"]}

    kept(book, "index", build, {"n"}, later=("search",))
    (path,) = folder.iterdir()
    path.write_text(path.read_text("utf-8").partition("\n")[0], "utf-8")
    assert kept(book, "index", build, {"n"}, later=("search",))["search"] == ["word"]
    assert len(path.read_text("utf-8").splitlines()) == 2
