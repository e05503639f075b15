"""A sentence that is less than proven ends with a mark: a sign on pages, words in a terminal."""

from __future__ import annotations

import pytest

from fixbook.book import MARKS, Text, marks_in_words, unmentioned
from fixbook.gates.marks import _misplaced, bare_phrases
from fixbook.gates.sentences import paragraphs
from fixbook.text import LANGS
from generator.text.guard import as_html, as_text, guard
from generator.text.marks import SIGNS, legend, stood_in
from generator.text.markup import plain

EN = "The old one drops it {{mark:read}}."
ZH = "旧的会丢弃{{mark:read}}。"


def test_a_terminal_says_the_mark_in_words() -> None:
    """Where a sign of its own would be guessed at."""
    assert marks_in_words(EN, "en") == "The old one drops it [read]."
    assert marks_in_words(ZH, "zh") == "旧的会丢弃〔读源码〕。"


def test_a_page_shows_a_sign_that_says_what_it_means() -> None:
    """To the pointer as a tooltip, and to a screen reader as a label."""
    page = as_html(guard(stood_in(EN, "en")))
    assert SIGNS["read"] in page
    assert 'title="read in the source, not run"' in page
    assert 'role="img"' in page
    assert 'aria-label="read in the source, not run"' in page
    assert "it<span" in page, "the sign stands close to its word"
    assert 'aria-label="只读过源码，没有运行"' in as_html(stood_in(ZH, "zh"))


def test_what_is_no_page_gets_words_and_titles_get_nothing() -> None:
    """A stand-in never reaches a reader."""
    assert as_text(stood_in(EN, "en")) == "The old one drops it [read]."
    assert plain(stood_in(EN, "en")) == "The old one drops it."
    assert unmentioned(EN) == "The old one drops it."


def test_the_legend_names_the_signs_of_its_page_alone() -> None:
    """In a fixed order, in the page's language."""
    both = stood_in("A {{mark:not-run}}. B {{mark:read}}.", "en")
    assert as_text(legend(both)).startswith(" [read] read in the source, not run ·")
    assert "inferred" not in legend(both)
    assert not legend("Proven.")


@pytest.mark.parametrize("kind", MARKS)
@pytest.mark.parametrize("lang", LANGS)
def test_every_mark_has_a_sign_of_its_own(kind: str, lang: str) -> None:
    """Four signs that nobody can take for one another."""
    assert SIGNS[kind] in as_html(
        stood_in(f"x {{{{mark:{kind}}}}}.", "zh" if lang == "zh" else "en")
    )
    assert len(set(SIGNS.values())) == len(MARKS)


def test_a_mark_stands_at_the_end_of_its_sentence() -> None:
    """Or of a clause; never in a title, and never under another name."""
    assert not list(_misplaced(("cause", "en"), EN))
    assert list(_misplaced(("cause", "en"), "The old {{mark:read}} one drops it."))
    assert list(_misplaced(("title", "en"), EN))
    assert list(_misplaced(("cause", "en"), "So it is {{mark:guessed}}."))


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("zh", "LoRA 没有实测。"),
        ("zh", "旧的会丢弃（只读了源码）。"),
        ("en", "LoRA was not executed."),
        ("en", "It drops them (read in its source)."),
    ],
)
def test_words_that_a_mark_says_are_found(lang: str, text: str) -> None:
    """In both languages; what a program does not run is no note on our steps."""
    assert bare_phrases(text, "zh" if lang == "zh" else "en")


@pytest.mark.parametrize("text", ["The hook was not run by FSDP.", "The file is read in blocks."])
def test_what_a_program_does_not_do_is_no_note(text: str) -> None:
    """The words are those of notes alone."""
    assert not bare_phrases(text, "en")


def test_gates_on_sentences_do_not_see_marks() -> None:
    """A mark neither ends a paragraph nor becomes a word of it."""
    text = Text(zh=ZH, en=EN)
    assert paragraphs(text.en) == ["The old one drops it."]
