"""Markdown as people write it becomes Markdown that the site reads the same way."""

from __future__ import annotations

import markdown
import pytest

from generator.text.code import Code
from generator.text.markup import block, inline, item, plain


def html(text: str) -> str:
    extensions = ["pymdownx.superfences", "tables"]
    return str(markdown.markdown(block(text), extensions=extensions))


def test_a_list_may_follow_a_paragraph() -> None:
    assert html("Both:\n- one\n- two").count("<li>") == 2


def test_code_may_be_indented_as_far_as_the_items_text() -> None:
    seen = html("1. first\n   ```yaml\n   a: 1\n     b: 2\n   ```\n2. second")
    assert seen.count("<li>") == 2
    assert seen.count("<ol>") == 1
    assert "a" in seen.partition("</li>")[0]


def test_lists_nest_by_the_width_of_their_marker() -> None:
    seen = html("- outer\n  - inner\n- next")
    assert seen.count("<ul>") == 2


def test_code_keeps_its_own_lines() -> None:
    code = "```python\nx = [\n  - 1,\n]\n- not a list\n```"
    assert block(code) == code


def test_a_paragraph_after_a_list_leaves_it() -> None:
    assert block("- one\n\nAfter.").splitlines()[-1] == "After."


def test_a_wrapped_item_stays_one_item() -> None:
    assert html("- one\n  goes on\n- two").count("<li>") == 2


def test_a_text_fits_a_cell() -> None:
    assert inline("a | b\nc") == r"a \| b c"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Raise `limit` **now**", "Raise limit now"),
        ("see [#1](https://example.org)", "see #1"),
        ("keep snake_case and 2*3*4", "keep snake_case and 2*3*4"),
        ("an *emphasis* here", "an emphasis here"),
    ],
)
def test_plain_text_has_no_markup(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_no_line_of_a_log_ends_its_block() -> None:
    log = "```\n````\nend"
    seen = html(Code(log).block)
    assert seen.count("<code>") == 1
    assert "````" in seen


def test_an_item_holds_several_paragraphs() -> None:
    assert html(item("one\n\ntwo")).count("<p>") == 2
