"""Measure the engine in a browser: search of a large book, patterns, redaction, cutting of lines.

    python -m bench.browser

Ends with 1 if one takes longer than it may. Run it where nothing else runs.
"""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from fixbook.book_root import book_root
from fixbook.index.build import build_rows
from tests.site.conftest import BROWSERS, FLAGS
from tests.site.engine import Engine
from tests.site.hard_texts import HARD
from tests.site.large_index import many
from tests.vectors import FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

ENTRIES = 1000
SEARCH_MS, PATTERN_MS, REDACT_MS, CUT_MS = 20, 10, 1000, 500
_LINE, _REDACTED, _CUT = 100_000, 64_000, 200_000
_FRAMES = 200
_BEST_OF = """(work) => {
  let best = Infinity;
  for (let run = 0; run < 5; run++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}"""
_SEARCH = f"(text) => ({_BEST_OF})(() => finder.find(text))"
_FUNCTION = f"([name, text]) => ({_BEST_OF})(() => fixbook.use(name)[name](text))"
_PATTERNS = f"""(line) => {{
  const all = engine.index.matchers.flatMap((m) => [m.pattern, ...m.context, ...m.unless]);
  return [...new Set(all)].map((pattern) => {{
    const regex = engine.index.regex(pattern);
    return [({_BEST_OF})(() => regex.test(line)), pattern];
  }});
}}"""


def searches(browser: Browser, rows: dict[str, Any]) -> Iterator[tuple[float, str]]:
    """Yield milliseconds and query, of queries alone and behind a long traceback."""
    engine = Engine(browser, many(rows, ENTRIES))
    cases = json.loads(FILE.with_name("queries.json").read_text("utf-8"))
    queries = [case["query"] for case in cases if not case["query"].startswith("log:")]
    frames = "".join(
        f'  File "/opt/venv/lib/site-packages/pkg{n}/mod_{n}.py", line {n}, in run_{n}\n'
        f"    return self.forward_{n}(hidden_states, attention_mask=mask_{n})\n"
        for n in range(_FRAMES)
    )
    long = [f"Traceback (most recent call last):\n{frames}{query}" for query in queries[:9]]
    for query in (*queries, *long):
        yield engine.call(_SEARCH, query.replace("\n", " ")), query[-60:]


def patterns(engine: Engine, rows: dict[str, Any]) -> Iterator[tuple[float, str]]:
    """Yield milliseconds and pattern, on lines made of what patterns begin with."""
    literals = {literal for row in rows["matchers"] for literal in row["literals"]}
    common = ("a", " ", "1", "1.", "a1_", "(", "rank 1: ", '"', "key:optimizer.state.")
    for piece in (*sorted(literals), *common):
        yield from map(tuple, engine.call(_PATTERNS, (piece * _LINE)[:_LINE]))


def hard(engine: Engine, wanted: str, size: int) -> Iterator[tuple[float, str]]:
    """Yield milliseconds and piece, of one function of the engine on hard texts."""
    for name, piece in HARD:
        if name == wanted:
            yield engine.call(_FUNCTION, [name, (piece * size)[:size]]), piece


def main() -> int:
    """Measure all, print the slowest of each."""
    rows = build_rows(book_root())
    chrome = next(filter(None, map(shutil.which, BROWSERS)), None)
    slow = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chrome, args=FLAGS)
        engine = Engine(browser, rows)
        for title, most, measured in (
            (f"search of {ENTRIES} entries", SEARCH_MS, searches(browser, rows)),
            ("a pattern on a line of 100 kB", PATTERN_MS, patterns(engine, rows)),
            ("redaction of 64 kB", REDACT_MS, hard(engine, "redact", _REDACTED)),
            ("cutting of 200 kB into lines", CUT_MS, hard(engine, "unfold", _CUT)),
        ):
            worst, what = max(measured)
            slow += worst > most
            print(f"{title}: at most {worst:.1f} ms of {most} ({what!r})")
        browser.close()
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
