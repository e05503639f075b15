"""Authors see what of a text is no Markdown, and where a link leads to no page."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import ENTRY, both
from tests.gating import found

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]


def said(make_book: MakeBook, text: str) -> str:
    entry: dict[str, Any] = copy.deepcopy(ENTRY)
    entry["cause"] = both(f"It is so.\n\n{text}\n")
    return found(make_book(entry), "markdown")


@pytest.mark.parametrize(
    "text",
    ["<script>x()</script>", "<br>", "<!-- note -->", "&nbsp;", "<https://example.org>",
     "**bold**{: onclick=x() }", "[a](#b){ .c }", "a <path> b"],
)  # fmt: skip
def test_markup_is_reported(make_book: MakeBook, text: str) -> None:
    seen = said(make_book, text)
    assert "is no Markdown" in seen
    assert "entry.yaml:" in seen


@pytest.mark.parametrize(
    "text",
    ["[a](javascript:x)", "[a](DATA:text/html,x)", "[a][b]\n\n[b]: javascript:x", "![a](file:///x)",
     "[a](&#106;avascript:x)"],
)  # fmt: skip
def test_links_that_lead_to_no_page_are_reported(make_book: MakeBook, text: str) -> None:
    assert "leads to no page" in said(make_book, text)


@pytest.mark.parametrize(
    "text",
    ["`<script>` and `a{: b }`", "torch < 2.6 && x<3", "```python\nx = {1: '<b>'}\n```",
     "[a](https://example.org/b(c)) [d](../e/index.md#f) [g](#h) [i](mailto:a@example.org)",
     "a dictionary {1: 2}, ${HOME}, `x`"],
)  # fmt: skip
def test_markdown_and_code_are_not(make_book: MakeBook, text: str) -> None:
    assert said(make_book, text) == ""
