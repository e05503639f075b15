"""The page of an entry as plain data: one form for terminal, JSON and agents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from pydantic import TypeAdapter

from fixbook.article.compose import compose_article, compose_message
from fixbook.article.data import Article, Message
from fixbook.article.markdown import as_markdown, block
from fixbook.article.shelf import PAGES, read_page, ready_pages
from fixbook.packed import TOGETHER, _read, pack, unpack, unpacked
from fixbook.problem import BookError
from fixbook.text import LANGS
from tests.real_book import real_book

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.book import Book

SLUG = "widget-overflow"


def test_pages_of_the_book_have_the_published_form() -> None:
    book = real_book()
    articles, messages = TypeAdapter(Article), TypeAdapter(Message)
    for slug in list(book.entries)[::9]:
        for lang in LANGS:
            page = compose_article(book.entries[slug], book, lang)
            assert articles.validate_python(page, strict=True, extra="forbid") == page
    for name in list(book.symptoms)[::9]:
        shared = compose_message(name, book, "zh")
        assert messages.validate_python(shared, strict=True, extra="forbid") == shared


def test_a_package_of_the_book_shows_the_same_without_yaml(good: Book) -> None:
    before = {lang: read_page(good.root, SLUG, lang) for lang in LANGS}
    for lang in LANGS:
        (good.root / PAGES.format(lang=lang)).write_bytes(pack(ready_pages(good, lang)))
    (good.root / "recipes" / SLUG / "entry.yaml").write_text("title: [")
    for lang in LANGS:
        assert read_page(good.root, SLUG, lang) == before[lang]


def test_pages_that_cannot_be_unpacked_are_put_together(good: Book) -> None:
    before = read_page(good.root, SLUG, "en")
    for damage in (b"", b"no xz", pack({})[:-9], pack({"widget": "[]"})):
        (good.root / PAGES.format(lang="en")).write_bytes(damage)
        _read.cache_clear()
        assert read_page(good.root, SLUG, "en") == before


def test_what_is_packed_is_unpacked_whole_or_not_at_all(tmp_path: Path) -> None:
    texts = {f"page-{number}": f"text “{number}”\n" for number in range(3 * TOGETHER + 1)}
    path = tmp_path / "pages.xz"
    packed = pack(texts)
    path.write_bytes(packed)
    assert unpack(path) == texts
    assert {name: unpacked(path, name) for name in texts} == texts
    assert unpacked(path, "page") is None
    path.write_bytes(packed[:-9])  # the last part is damaged, the others are not
    _read.cache_clear()
    assert unpack(path) is None
    assert unpacked(path, "page-0") == texts["page-0"]
    assert unpacked(path, max(texts)) is None


def test_a_name_is_no_path(good: Book) -> None:
    (good.root / PAGES.format(lang="en")).write_bytes(pack(ready_pages(good, "en")))
    (good.root / "secret.en.json").write_text(json.dumps({"kind": "entry"}))
    with pytest.raises(BookError, match="no entry has this slug"):
        read_page(good.root, "../secret", "en")


def test_code_comes_first_and_the_price_last(good: Book) -> None:
    page = compose_article(good.get(SLUG), good, "en")
    page["fixes"][0]["code"] = {"language": "bash", "text": "mend", "not_executed": None}
    page["fixes"][0]["changes"] = [{"tool": "axolotl", "version": "0.19.0", "text": "-a\n+b"}]
    text = as_markdown(page, "en").partition("## Fix now")[2].partition("\n## ")[0]
    order = ["```bash\nmend\n```", "Take a smaller widget; 3 was", "+b", "Trade-off: none"]
    assert [text.index(part) for part in order] == sorted(text.index(part) for part in order)


def test_no_line_of_code_ends_its_block() -> None:
    code = "print('''\n```\n''')"
    fenced = block({"language": "python", "text": code, "not_executed": None})
    assert fenced.startswith("````python\n")
    assert fenced.endswith("\n````")
