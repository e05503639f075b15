"""The log room stands alone, starts light, and shares its words with the browser."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fixbook.book import Aliases, Book, BookEntry
from fixbook.index.documents import search_rows
from fixbook.log.search import SearchIndex, documents_from
from fixbook.log.unwrapped import pieces_of
from fixbook.text import LANGS
from generator.browser.constants import browser_words, constants
from tests.real_book import usable_book

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted(ROOT.glob("overrides/assets/diagnose/*.js"))
SHARED: dict[str, dict[str, str]] = json.loads((ROOT / "fixbook/log/words.json").read_text("utf-8"))
BELOW = ("fixbook.log", "fixbook.problem", "fixbook.text")


def imported(path: Path) -> set[str]:
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.split(".")[0] in {"fixbook", "generator"}}


def test_the_log_room_imports_nothing_above_it() -> None:
    for path in (ROOT / "fixbook/log").glob("*.py"):
        above = {name for name in imported(path) if not name.startswith(BELOW)}
        assert not above, path.name


def test_a_cached_index_needs_no_heavy_library(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("CUDA out of memory. Tried to allocate 1.00 GiB\n", "utf-8")
    code = (
        "import sys\nfrom fixbook.cli import run_command\n"
        "from fixbook.cli.diagnose import command\n"
        f"run_command(command, [{str(log)!r}])\n"
        "print(sorted({'yaml', 'pydantic', 'torch'} & sys.modules.keys()))"
    )
    for _ in range(2):  # the first may build the index
        ran = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
    assert ran.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("words", [SHARED, browser_words()], ids=["answer", "browser"])
def test_words_stand_in_both_languages(words: dict[str, dict[str, str]]) -> None:
    for key, texts in words.items():
        assert set(texts) == set(LANGS), key
        names = [set(re.findall(r"\{(\w+)\}", texts[lang])) for lang in LANGS]
        assert names[0] == names[1], key


def test_the_browser_says_every_word_and_no_other() -> None:
    code = "".join(path.read_text("utf-8") for path in SCRIPTS)
    code = re.sub(r'"[\w.]+\.js"', "", code)  # names of files, such as "words.js"
    said = set(re.findall(r"\bwords\.(\w+)", code))
    counted = {
        f"{key}_{form}"
        for key in re.findall(r'counted\("(\w+)"', code)
        for form in ("one", "other")
    }
    known = constants("en")["words"]
    assert said | counted <= set(known)
    quoted = set(re.findall(r'"(\w+)"', code)) | said | counted
    assert set(browser_words()) - quoted - {"error", "warning", "note"} == set()
    assert not SHARED.keys() & browser_words().keys()


def test_an_alias_finds_its_entry() -> None:
    book = usable_book()
    slug, item = next(iter(book.entries.items()))
    aliases = Aliases(zh=["罕见的别名"], en=["zyzzyva crash"])
    entry = item.entry.model_copy(update={"aliases": aliases})
    other = BookEntry(slug, item.folder, entry, item.source)
    rows = search_rows(Book(book.root, {**book.entries, slug: other}, book.symptoms))
    search = SearchIndex(documents_from(rows))
    for query in ("zyzzyva", "罕见的别名"):
        assert search.search(query)[0][0] == slug


def test_messages_are_searched() -> None:
    book = usable_book()
    search = SearchIndex(documents_from(search_rows(book)))
    for name, symptom in book.symptoms.items():
        assert name in [found for found, _ in search.search(symptom.title.en)[:3]]


def test_an_operator_in_an_error_is_no_quotation() -> None:
    """Signs of a mail stand at the beginning of a line; ``'>'`` elsewhere is what failed."""
    text = "TypeError: '>' not supported between instances of 'str' and 'int'"
    assert (1, text) in pieces_of([(1, text)])
    assert (1, text) in pieces_of([(1, f"> {text}")])
