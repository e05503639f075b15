"""The list of terms finds what it names, where it stands, and nothing in code or quotations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fixbook.book import load_book
from fixbook.gates.reading import Reading
from fixbook.gates.terms import FILE, chinese_terms, read_terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]

ROOT = Path(__file__).resolve().parent.parent
LIST = """terms:
  - {zh: 非法内存访问, en: illegal memory access, not: ['非法访存'], note: 只此一种写法。}
  - {zh: batch size, en: batch size, not: ['批大小']}
typography:
  - {id: half-width-punctuation, not: '[一-鿿],', mend: 用全角标点}
"""


def found(book: Book, page: str = "") -> list[str]:
    (book.root / FILE).write_text(LIST, "utf-8")
    (book.root / "docs/zh").mkdir(parents=True, exist_ok=True)
    (book.root / "docs/zh/page.md").write_text(page, "utf-8")
    return [
        str(problem).replace(str(book.root) + "/", "") for problem in chinese_terms(Reading(book))
    ]


def test_a_wrong_word_is_found_on_its_line(make_book: MakeBook) -> None:
    (problem,) = found(make_book(), "第一行\n\n```\n批大小\n```\n出现了非法访存。\n")
    assert problem.startswith("docs/zh/page.md:6: the Chinese text says '非法访存'")
    assert problem.endswith("mend: write 非法内存访问; 只此一种写法。")


@pytest.mark.parametrize(
    "page",
    [
        "见 `批大小` 和 {批大小}。",
        "有人说“批大小”，也有人说「批大小」。",
        "[链接](https://example.org/批大小)",
        '<a title="批大小">链接</a>',
        "写 `a,b`，不写别的。",
    ],
)
def test_code_links_and_quotations_are_left_out(make_book: MakeBook, page: str) -> None:
    assert found(make_book(), page) == []


def test_punctuation_is_checked(make_book: MakeBook) -> None:
    assert "half-width-punctuation: '错,'" in found(make_book(), "写错,改掉。")[0]


def test_entries_are_read_where_they_stand(make_book: MakeBook, entry: dict[str, object]) -> None:
    entry["summary"] = {"zh": "先改批大小。", "en": "Change the batch size."}
    entry["aliases"] = {"zh": ["批大小太大"], "en": []}
    book = make_book(entry)
    (problem,) = found(book)
    line = int(problem.split(":")[1])
    text = book.get("widget-overflow").source.path.read_text("utf-8").splitlines()
    assert "批大小" in text[line - 1] or "\\u6279" in text[line - 1]


def test_a_block_text_is_counted_from_its_first_line(make_book: MakeBook) -> None:
    book = make_book()
    path = book.root / "symptoms/one.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text("text:\n  zh: |-\n    第一行\n    批大小\n  en: x\n", "utf-8")
    assert found(book)[0].startswith("symptoms/one.yaml:4: ")


def test_a_book_without_a_list_has_nothing_to_be_checked_against(make_book: MakeBook) -> None:
    assert list(chinese_terms(Reading(make_book()))) == []


def test_no_term_of_the_list_is_forbidden_by_another() -> None:
    terms = read_terms(ROOT / FILE).terms
    for term in terms:
        for other in terms:
            for wrong in other.wrong:
                assert not re.search(wrong, term.zh, re.ASCII), (term.zh, other.zh)


def test_every_pattern_is_a_word_or_a_mark_of_chinese_text() -> None:
    for term in read_terms(ROOT / FILE).terms:
        for wrong in term.wrong:
            assert not re.search(wrong, ""), (term.zh, wrong)


def test_the_site_and_the_pages_keep_to_the_list() -> None:
    problems = map(str, chinese_terms(Reading(load_book(ROOT, strict=False))))
    elsewhere = str(ROOT / "recipes")  # held by the gate itself
    assert [problem for problem in problems if not problem.startswith(elsewhere)] == []
