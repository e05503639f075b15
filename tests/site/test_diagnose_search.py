"""Search finds what people paste, whatever its punctuation, and stays small and fast."""

from __future__ import annotations

import copy
import gzip
import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.book_root import book_root
from fixbook.entry import LANGS
from fixbook.index.build import build_rows
from generator.js_pattern import UntranslatableError, javascript_of
from generator.search_index import index_data
from tests.site.engine import Engine
from tests.vectors import FILE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
QUERIES: list[dict[str, Any]] = json.loads(FILE.with_name("queries.json").read_text("utf-8"))
BUDGET_MS = 20
BUDGET_BYTES = 300_000
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


def many(book: dict[str, Any], count: int) -> dict[str, Any]:
    """A book of many entries: copies of the real ones whose own words are replaced by others."""
    chance = random.Random(1)  # noqa: S311
    rows = copy.deepcopy(book)
    seen: dict[str, int] = {}
    for row in book["search"]:
        for token in row["weights"]:
            seen[token] = seen.get(token, 0) + 1
    own = sorted(token for token in seen if token.isascii() and seen[token] == 1)
    syllables = [token[i : i + 3] for token in own for i in range(0, len(token) - 2, 3)]
    signs = sorted({sign for token in seen for sign in token if not sign.isascii()})

    def other(token: str) -> str:
        if seen[token] > 1 or chance.random() < 0.5:
            return token
        if token.isascii():
            return "".join(chance.choice(syllables) for _ in range(max(1, len(token) // 3)))
        return chance.choice(signs) + chance.choice(signs)

    slugs = list(book["fixes"])
    for number in range(len(slugs), count):
        base, slug = slugs[number % len(slugs)], f"entry-{number}"
        row = next(row for row in book["search"] if row["slug"] == base)
        weights = {other(token): weight for token, weight in row["weights"].items()}
        rows["search"].append({"slug": slug, "weights": weights, "length": row["length"]})
        for matcher in [one for one in book["matchers"] if one["owner"] == base]:
            mark = f"{chance.choice(syllables)}{number}"
            pattern = f"{mark} {matcher['pattern']}"
            literals = [f"{mark} {literal}" for literal in matcher["literals"]]
            rows["matchers"].append(
                {**matcher, "owner": slug, "pattern": pattern, "literals": literals}
            )
        rows["titles"][slug] = {
            part: {
                lang: "".join(chance.choice(text) for _ in text)
                for lang, text in book["titles"][base][part].items()
            }
            for part in ("title", "summary")
        }
        rows["fixes"][slug] = book["fixes"][base]
        for name, label in book["labels"].items():
            if name.startswith(f"{base}/"):
                rows["labels"][name.replace(base, slug)] = label
    return rows


def test_the_index_stays_small(book: dict[str, Any]) -> None:
    rows = many(book, 200)
    for lang in LANGS:
        text = json.dumps(index_data(rows, lang), ensure_ascii=False, separators=(",", ":"))
        size = len(gzip.compress(text.encode(), 9))
        assert size <= BUDGET_BYTES, (lang, size)


MEASURE = """(queries) => {
  queries.forEach((query) => finder.find(query));
  return queries.map((query) => {
    let best = Infinity;
    for (let run = 0; run < 5; run++) {
      const start = performance.now();
      finder.find(query);
      best = Math.min(best, performance.now() - start);
    }
    return best;
  });
}"""


def test_search_is_fast_with_a_thousand_entries(browser: Browser, book: dict[str, Any]) -> None:
    engine = Engine(browser, many(book, 1000))
    traceback = "".join(
        f'  File "/opt/venv/lib/python3.12/site-packages/pkg{n}/mod_{n}.py", line {n}, in run_{n}\n'
        f"    return self.forward_{n}(hidden_states, attention_mask=mask_{n})\n"
        for n in range(200)
    )
    queries = [text_of(case["query"]) for case in QUERIES]
    queries += [text_of(f"Traceback (most recent call last):\n{traceback}{q}") for q in queries[:9]]
    times = sorted(engine.call(MEASURE, queries))
    p95 = times[int(0.95 * len(times))]
    assert p95 <= BUDGET_MS, times


def test_a_pattern_that_browsers_lack_is_refused() -> None:
    for pattern in ("(?<!x)overflowed", r"(a)\1overflowed", r"[\S,]overflowed"):
        with pytest.raises(UntranslatableError):
            javascript_of(pattern)
