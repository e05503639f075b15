"""Texts that send their reader to another entry, to a message, a section or a fix."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.book import Targets, unmentioned
from fixbook.cli.markdown import Terminal
from fixbook.log.told import told
from fixbook.text import LANGS, SECTIONS
from generator.text.links import ROOT, absolute, placed
from generator.text.strings import Words
from tests.conftest import ENTRY, both
from tests.gating import found
from tests.real_book import real_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]

_HANG = "rank-dependent-graph-hang"


def said(make_book: MakeBook, text: str, field: str = "cause") -> str:
    entry: dict[str, Any] = copy.deepcopy(ENTRY)
    entry[field] = both(text)
    return found(make_book(entry), "mentions")


def test_a_kind_that_there_is_not_is_refused(make_book: MakeBook) -> None:
    assert "{{symptom:collective-timeout}} leads nowhere" in said(
        make_book, "See {{symptom:collective-timeout}}."
    )
    assert "leads nowhere" not in said(make_book, "Take `{{yours:port}}`.")


def test_every_title_is_told_to_a_terminal() -> None:
    book = real_book()
    titles = {slug: item.entry.title for slug, item in book.entries.items()}
    titles |= {name: message.title for name, message in book.symptoms.items()}
    for name, title in titles.items():
        for lang in LANGS:
            link = f"see [{title.of(lang)}]({name}/)"
            assert told(link, lang).endswith(f"fixbook show {name}{'）' if lang == 'zh' else ')'}")
            assert "](" not in Terminal(200).text(f"`it` and `this`: {told(link, lang)}")


def test_a_link_that_never_ends_takes_no_time() -> None:
    told("[" + "`a` " * 5000, "en")
    Terminal(80).text("[" + "`a` " * 5000)


def test_a_text_links_to_the_title_of_the_language() -> None:
    targets = Targets(real_book(), "ddp-unused-parameters")
    title = real_book().entries[_HANG].entry.title
    for lang in ("zh", "en"):
        seen = targets.linked(f"({{{{entry:{_HANG}}}}})", lang)
        assert seen == f"([{title.of(lang)}]({_HANG}/))"
        assert told(seen, lang).startswith(f"(“{title.of(lang)}”")
        assert f"fixbook show {_HANG}" in told(seen, lang)
    message = targets.linked("{{message:collective-timeout}}", "en", ROOT)
    assert message.endswith(f"]({ROOT}symptoms/collective-timeout/)")
    assert "fixbook show collective-timeout" in told(message.replace(ROOT, ""), "en")


def test_a_section_or_fix_is_of_the_own_entry() -> None:
    targets = Targets(real_book(), "nan-loss-fp16")
    assert targets.linked("“{{section:detect}}”", "en") == (
        "“[Is it yours?](nan-loss-fp16/#detect)”"
    )
    assert "](nan-loss-fp16/#fix-bf16)" in targets.linked("{{fix:bf16}}", "zh")
    assert "](nan-loss-fp16/#non-fix-larger-epsilon)" in targets.linked(
        "{{fix:larger-epsilon}}", "zh"
    )
    assert told(targets.linked("“{{section:detect}}”", "en"), "en") == "“Is it yours?”"
    for text in ("{{section:why}}", "{{fix:bf16}}"):
        assert Targets(real_book()).linked(text, "en") == text


def test_a_link_is_completed_on_the_page_where_it_stands() -> None:
    text = f"[A]({ROOT}a/#why) and [B]({ROOT}symptoms/b/)"
    known = {"a/index.md", "symptoms/b/index.md"}
    assert placed(text, "c/evidence/index.md", known) == (
        "[A](../../a/index.md#why) and [B](../../symptoms/b/index.md)"
    )
    assert placed(text, "claims.md", known) == "[A](a/index.md#why) and [B](symptoms/b/index.md)"
    assert placed(text, "claims.md", {"a/index.md"}).endswith("[B](#top)")
    assert absolute(text, "en", "https://example.org").startswith("[A](https://example.org/en/a/#w")


def test_a_search_does_not_find_a_page_by_what_it_names() -> None:
    assert unmentioned("See {{entry:a-b}}.").split() == ["See", "."]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_sections_are_named_as_pages_head_them(lang: Any) -> None:
    from fixbook.text import translator  # noqa: PLC0415

    words = Words(lang)
    heads = {"silent-twin": "h_twin"} | {
        name: f"h_{name.replace('-', '_')}" for name in SECTIONS if name != "silent-twin"
    }
    for name, key in heads.items():
        assert translator(lang)(SECTIONS[name]) == words(key)


@pytest.mark.parametrize(
    "text",
    ["{{entry:nowhere}}", "{{entry:widget-overflow}}", "{{message:x}}", "{{section:more}}",
     "{{fix:x}}"],
)  # fmt: skip
def test_what_leads_nowhere_is_reported(make_book: MakeBook, text: str) -> None:
    assert f"{text} leads nowhere" in said(make_book, f"See {text}.")


def test_what_leads_somewhere_is_not(make_book: MakeBook) -> None:
    text = "See “{{section:detect}}”, {{fix:mend-it}} and {{fix:shake-it}}. 见“{{section:why}}”。"
    assert said(make_book, text) == ""


def test_a_title_holds_no_link(make_book: MakeBook) -> None:
    assert "no link" in said(make_book, "Like {{fix:mend-it}}", "title")


@pytest.mark.parametrize(
    "text",
    ["See the entry on boxes.", "It has an entry of its own.", "see that page", "see “Why”",
     "见“盒子太小”那一条。", "那是另一条。", "见 ZeRO-3 的条目。", "盒子另有条目。", "看那一页。"],
)  # fmt: skip
def test_a_plain_mention_is_reported(make_book: MakeBook, text: str) -> None:
    assert "is no link" in said(make_book, text)


@pytest.mark.parametrize("text", ["It is still this entry.", "本条目的情形只会缺分片。"])
def test_an_entry_may_speak_of_itself(make_book: MakeBook, text: str) -> None:
    assert said(make_book, text) == ""
