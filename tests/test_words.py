"""Words find what people mean by them, and a log never gets a guess."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, get_args

import pytest

from bench.word_queries import _read, measure_words
from fixbook.book import load_book
from fixbook.book_root import book_root
from fixbook.cli import cli, run_command
from fixbook.cli.exits import DONE, NOT_RECOGNISED
from fixbook.entry import Category
from fixbook.finder import Finder
from fixbook.gates.aliases import LEAST, aliases_lead_here
from fixbook.gates.reading import Reading
from fixbook.index.build import rows_from
from fixbook.index.synonyms import groups
from fixbook.languages import LANGS
from fixbook.log.question import is_question
from fixbook.log.tokens import PART_WEIGHT, phrase_of, stem_of, tokens_of
from fixbook.queries import LEAST_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

LEAST_RIGHT = 0.95


@pytest.fixture(scope="module")
def book() -> Book:
    return load_book(book_root(), strict=False)


@pytest.fixture(scope="module")
def finder(book: Book) -> Finder:
    return Finder(rows_from(book))


def test_every_message_has_words_in_both_languages(book: Book) -> None:
    asked = _read()["symptoms"]
    assert set(asked) == set(book.symptoms)
    for name, texts in asked.items():
        for lang in LANGS:
            assert len(texts[lang]) >= LEAST_WORDS, (name, lang)


def test_words_find_their_page(book: Book, finder: Finder) -> None:
    found = measure_words(book, finder, None)
    for group in {row["group"] for row in found["table"]}:  # both halves: one alone is small
        rows = [row for row in found["table"] if row["group"] == group]
        right = sum(row["at_3"] * row["asked"] for row in rows)
        assert right >= LEAST_RIGHT * sum(row["asked"] for row in rows), group
    assert found["categories"] == []
    assert len(found["nothing"]["found"]) <= 0.2 * found["nothing"]["asked"], found["nothing"]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("爆显存", "out-of-memory"),
        ("out of memory", "out-of-memory"),
        ("段错误", "process-crashed"),
        ("segfaults", "process-crashed"),
        ("多机连不上", "rendezvous-timeout"),
        ("进程被杀", "killed-from-outside"),
        ("卡死", "collective-timeout"),
    ],
)
def test_what_people_say(finder: Finder, words: str, first: str) -> None:
    assert finder.ranked(words)[0] == first


@pytest.mark.parametrize("words", ["量子力学", "quantum mechanics", "grafana dashboard"])
def test_what_no_page_is_about(finder: Finder, words: str) -> None:
    assert is_question(words)
    assert finder.find(words) == []


@pytest.mark.parametrize(
    "text",
    [
        "ValueError: the widget is too long for the box",
        'raise RuntimeError("CUDA memory")',
        "2025-01-01 10:00:00 out of memory in the loss",
        "[rank3] training hangs",
        "assert hidden_states.shape == labels.shape",
        "step 3: training hangs",
        "'DynamicCache' object has no attribute 'get_max_length'",
        "hang " * 40,
    ],
)
def test_nobody_guesses_for_a_log(finder: Finder, text: str) -> None:
    assert not is_question(text)
    assert finder.guesses(text) == []


def test_causes_are_ranked_by_the_words_beside_a_message(finder: Finder) -> None:
    for words, slug in (
        ("rwkv illegal memory access", "rwkv-hf-backward-writes-past-batch"),
        ("vllm illegal memory access", "vllm-illegal-access-noticed-in-sampler"),
        ("axolotl packing illegal memory access", "axolotl-packing-cu-seqlens-overrun"),
    ):
        found = finder.find(words)
        assert [one.how for one in found[:2]] == ["message", "possible"]
        assert found[1].name == slug


def test_words_without_their_endings() -> None:
    assert {stem_of(word) for word in ("crash", "crashes", "crashed", "crashing")} == {"crash"}
    assert stem_of("freeze") == stem_of("freezing")
    assert stem_of("process") == stem_of("processes") == "process"
    assert stem_of("cu_seqlens") == "cu_seqlens"


def test_words_of_a_question_part_chinese() -> None:
    assert [token for token, _ in tokens_of("显存不够怎么办")] == ["显存", "存不", "不够"]
    assert phrase_of("显存不够了怎么办") == phrase_of("显存不够")


def test_every_category_has_words() -> None:
    assert {group.category for group in groups()} >= set(get_args(Category))


def test_the_gate_on_aliases(make_book: Callable[..., Book], entry: dict[str, Any]) -> None:
    assert list(aliases_lead_here(Reading(make_book(entry)))) == []
    entry["aliases"]["en"] = ["it fails with 3", "wrong"]
    found = [str(problem) for problem in aliases_lead_here(Reading(make_book(entry)))]
    assert any(f"has 2, at least {LEAST} are needed" in problem for problem in found)
    entry["aliases"] = {"zh": [], "en": []}
    symptom: dict[str, Any] = {
        key: {"zh": "坏了", "en": "broken"} for key in ("title", "summary", "text")
    }
    symptom |= {"patterns": ["it broke"], "aliases": {"zh": ["的"], "en": ["the", "of", "a"]}}
    symptoms = {"broken": symptom}
    text = "\n".join(map(str, aliases_lead_here(Reading(make_book(entry, symptoms=symptoms)))))
    assert "symptoms/broken.yaml" in text
    assert "alias 'the' leads to nothing" in text


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(cli, ["search", "爆显存", "--json", "--lang", "zh"]) == DONE
    answer = json.loads(capsys.readouterr().out)
    assert answer["results"][0]["symptom"] == "out-of-memory"
    assert answer["results"][0]["how"] == "near"
    assert run_command(cli, ["search", "量子力学", "--lang", "en"]) == NOT_RECOGNISED
    assert "Not in the book yet" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("is_cuda_2_available", {"cuda", "availabl"}),  # no number and no word that says nothing
        ("a_b_tensor", {"tensor"}),  # no single letter
        ("the_tensor", {"tensor"}),
    ],
)
def test_parts_of_a_name_that_tell_nothing_are_left_out(word: str, parts: set[str]) -> None:
    assert {token for token, weight in tokens_of(word) if weight == PART_WEIGHT} == {
        stem_of(part) for part in parts
    }
