"""On a Chinese page the comments of code are Chinese; what the code runs is the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from fixbook.book import Snippet, with_snippets
from fixbook.gates.comments import english_comments
from fixbook.problem import BookError
from tests.gating import found

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

CODE = "x = 1  # how many there are\ny = '# how many there are'  # lr\n"


def test_a_comment_is_replaced_at_the_end_of_its_line_alone() -> None:
    """A text that looks like one stays, and so does the English page."""
    snippet = Snippet(code=CODE, comments={"how many there are": "一共几个"})
    assert snippet.code_in("zh") == CODE.replace("1  # how many there are", "1  # 一共几个")
    assert snippet.code_in("en") == CODE
    assert "一共几个" in with_snippets("{{snippet:one}}", {"one": snippet}, "zh")


def test_names_alone_need_no_chinese() -> None:
    """A comment of one word is a name in both languages."""
    assert english_comments(CODE) == ["how many there are"]


def test_a_comment_without_chinese_is_told(
    make_book: Callable[..., Book], entry: dict[str, Any]
) -> None:
    """And Chinese for a comment that is not there is refused."""
    entry["snippets"]["detect"]["code"] = "found = True  # this is the one\n"
    assert "'# this is the one' has no Chinese" in found(make_book(entry), "comments")
    entry["snippets"]["detect"]["comments"] = {"this is the one": "就是它"}
    assert found(make_book(entry), "comments") == ""
    entry["snippets"]["detect"]["comments"] = {"no such": "没有"}
    with pytest.raises(BookError, match="has no comment '# no such'"):
        make_book(entry)
