"""Search finds what people paste, whatever its punctuation, and stays small."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

from bench.sentences import sentences
from fixbook.book_root import book_root
from fixbook.index.build import build_rows
from fixbook.log.finder import Finder
from fixbook.log.question import is_question
from fixbook.text import LANGS
from generator.browser.pattern import UntranslatableError, javascript_of
from generator.browser.search_index import index_data
from tests.site.engine import Engine
from tests.site.hard_texts import SEARCHES
from tests.site.large_index import many
from tests.vectors import FILE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
QUERIES: list[dict[str, Any]] = json.loads(FILE.with_name("queries.json").read_text("utf-8"))
BYTES_A_PAGE = 1_150  # compressed: titles, patterns and words of an entry or a message
WORDS = """texts => texts.map((text) => [
  fixbook.use("question").isQuestion(text),
  finder.engine.guesses(text, 10),
  finder.engine.unanswered(text),
])"""
NOT_ANSWERED = (
    *("寒武纪 爆显存", "RTX 5090", "5090 训练失败", "报错", "Gaudi hangs"),
    "token=hf_" + "a1B2" * 9,
)
LOG_LINES = (
    "Question: how do I resume with fewer GPUs",
    "ValueError: the widget is too long for the box that it was put into by somebody else today",
    "If you suspect a bug, please take the information from bitsandbytes and send it to us",
    "Expected to have finished reduction in the prior iteration before starting a new one.",
)
FIND = "(text) => finder.find(text).map(([item]) => item)"


@pytest.fixture(scope="module")
def book() -> dict[str, Any]:
    return build_rows(book_root())


@pytest.fixture(scope="module")
def engines(browser: Browser, book: dict[str, Any]) -> dict[str, Engine]:
    return {lang: Engine(browser, book, lang) for lang in LANGS}


def text_of(query: str) -> str:
    """A query as the one-line box receives it."""
    if query.startswith("log:"):
        query = (book_root() / query.removeprefix("log:")).read_text("utf-8")
    return query.replace("\n", " ")


@pytest.mark.parametrize("case", QUERIES, ids=[case["name"] for case in QUERIES])
def test_query(case: dict[str, Any], engines: dict[str, Engine]) -> None:
    wanted = [name if name.endswith("/") else f"{name}/" for name in case["is"]]
    for lang, engine in engines.items():
        found = [item["location"] for item in engine.call(FIND, text_of(case["query"]))]
        assert set(found[:3]) & set(wanted), (lang, found)


def test_every_log_of_the_book_in_one_line(engines: dict[str, Engine]) -> None:
    for path in sorted(book_root().glob("recipes/*/logs/*")):
        text = " ".join(path.read_text("utf-8", "replace").splitlines())
        found = [item["location"] for item in engines["en"].call(FIND, text)]
        assert any(slug.removesuffix("/") == path.parts[-3] for slug in found[:5]), (path, found)


def test_results_say_why(engines: dict[str, Engine]) -> None:
    first = engines["zh"].call(FIND, "x " * 60 + "cu_seqlens ends at 99 but q has 42 rows <b>")[0]
    assert "明确" in first["text"]
    assert "<mark>cu_seqlens ends at 99 but q has 42 rows</mark> &lt;b&gt;" in first["text"]
    assert "<b>99</b>" in first["text"]
    message, cause = engines["en"].call(FIND, "CUDA out of memory")[:2]
    assert "Shared message" in message["text"]
    assert "Possible cause" in cause["text"]
    words = engines["en"].call(FIND, "gradient_checkpointing")[0]
    assert "By words" in words["text"]
    assert "<mark>checkpointing</mark>" in words["text"], "parts of an identifier count too"


def test_lines_are_found_again(engines: dict[str, Engine]) -> None:
    text = (
        "[rank1]: Traceback (most recent call last):\n"
        '[rank1]:   File "/a/b.py", line 3, in main\n'
        "[rank1]:     f()\n"
        "[rank1]: torch.OutOfMemoryError: CUDA out of memory.\n"
        "[rank0]: RuntimeError: ValueError: odd\n"
        "2025-01-01 10:00:00 end"
    )
    lines = engines["en"].call("(t) => fixbook.use('unfold').unfold(t)", text.replace("\n", " "))
    assert [line.split()[0] for line in lines.splitlines()] == [
        *("[rank1]:", "[rank1]:", "[rank1]:", "[rank1]:", "[rank0]:", "2025-01-01")
    ]
    assert "OutOfMemoryError: CUDA" in lines.splitlines()[3]
    assert "RuntimeError: ValueError: odd" in lines.splitlines()[4]


def test_the_index_stays_small(book: dict[str, Any]) -> None:
    rows = many(book, 200)
    for lang in LANGS:
        text = json.dumps(index_data(rows, lang), ensure_ascii=False, separators=(",", ":"))
        size = len(gzip.compress(text.encode(), 9))
        assert size <= BYTES_A_PAGE * len(rows["titles"]), (lang, size)


def test_a_query_tries_the_patterns_that_it_holds_a_literal_of(
    browser: Browser, book: dict[str, Any]
) -> None:
    """Ten times as many entries, and no more patterns are run; `bench.browser` takes the time."""
    texts = [text_of(case["query"]) for case in QUERIES]
    few, more = (
        [engine.call(SEARCHES, ["diagnose", text]) for text in (texts[0], *texts)]
        for engine in (Engine(browser, many(book, count)) for count in (50, 500))
    )
    assert sum(few) > len(texts)
    assert more[1:] == few[1:]  # the first makes the scanners ready


def test_a_pattern_that_browsers_lack_is_refused() -> None:
    for pattern in ("(?<!x)overflowed", r"(a)\1overflowed", r"[\S,]overflowed"):
        with pytest.raises(UntranslatableError):
            javascript_of(pattern)


def test_words_are_answered_as_in_the_command(
    book: dict[str, Any], engines: dict[str, Engine]
) -> None:
    finder = Finder(book)
    asked = [*(text for _, text in sentences()), *NOT_ANSWERED, *LOG_LINES]
    told = engines["zh"].call(WORDS, asked)
    for text, (question, guesses, unanswered) in zip(asked, told, strict=True):
        assert question == is_question(text), text
        assert guesses == [list(one) for one in finder.guesses(text)], text
        said = finder.unanswered(text)
        assert unanswered == (json.loads(json.dumps(asdict(said))) if said else None), text
