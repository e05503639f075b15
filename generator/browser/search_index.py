"""Write the files that diagnosis and search read in the browser, for one language.

They are scripts rather than JSON, so that the same files serve a web worker and ``file://``.
Each is loaded when it is first needed: ``fixbook.js`` by the first query, ``advice.js`` and
``fixes.js`` by the diagnosis page. The engine's constants are written beside the engine.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fixbook.index.documents import row_of, weights_of
from generator.browser.advice import advice_html
from generator.browser.constants import CONSTANTS, constants_script
from generator.browser.documents import page_documents
from generator.browser.packing import packed
from generator.browser.pattern import UntranslatableError, javascript_of
from generator.text.markup import plain
from generator.text.snippets import html_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fixbook.text import Lang

INDEX, ADVICE, FIXES = "search/fixbook.js", "search/advice.js", "search/fixes.js"
# What Material's own search fetches on every page: empty, as ours replaces it.
_STUB = {"config": {"lang": ["en"], "separator": r"[\s]+", "pipeline": []}, "docs": []}


class SearchIndexError(Exception):
    """The search of the site cannot work; the message says why."""


def write_search(rows: dict[str, Any], lang: Lang, site: Path) -> None:
    """Write the search files of one language into its built site.

    Args:
        rows: The index of the book.
        lang: The language.
        site: Its built site, with the list of pages that MkDocs' search plugin wrote.

    Raises:
        SearchIndexError: A pattern cannot be translated for the browser.
    """
    listed = json.loads((site / "search/search_index.json").read_text("utf-8"))["docs"]
    data = index_data(rows, lang, page_documents(listed))
    _script(site / INDEX, "index", data)
    _script(site / ADVICE, "advice", advice_data(rows, lang))
    _script(site / FIXES, "fixes", fixes_data(rows, lang))
    (site / CONSTANTS).write_text(constants_script(lang), "utf-8")
    stub = json.dumps(_STUB)
    (site / "search/search_index.json").write_text(stub, "utf-8")
    (site / "search/search_index.js").write_text(f"var __index = {stub};\n", "utf-8")


def index_data(
    rows: dict[str, Any], lang: Lang, pages: Iterable[dict[str, Any]] = ()
) -> dict[str, Any]:
    """Return what the browser needs to recognise and to search.

    Args:
        rows: The index of the book.
        lang: Language of titles and labels.
        pages: Other pages of the site: their address, title and text.

    Raises:
        SearchIndexError: A pattern cannot be translated.
    """
    others = list(pages)
    weighed = [
        row_of(page["url"], weights_of([(4.0, page["title"]), (1.0, page["text"])]))
        for page in others
    ]
    return {
        "format": rows["format"],
        "lang": lang,
        "matchers": [_matcher(row) for row in rows["matchers"]],
        "surroundings": {
            _translated(pattern): literals for pattern, literals in rows["surroundings"].items()
        },
        "causes": rows["causes"],
        "titles": {name: _card(card, lang) for name, card in rows["titles"].items()},
        "labels": {name: label[lang] for name, label in rows["labels"].items()},
        "elsewhere": rows["elsewhere"],
        "entries": packed(rows["search"]),
        "pages": packed(weighed),
        "pageTitles": {page["url"]: page["title"] for page in others},
    }


def advice_data(rows: dict[str, Any], lang: Lang) -> dict[str, Any]:
    """Return what only the diagnosis page shows: advice on messages as HTML, questions, titles."""
    pages = {name: text[lang] for name, text in rows["advice"].items()}
    return {
        "titles": {slug: plain(rows["titles"][slug]["title"][lang]) for slug in rows["fixes"]},
        "asks": {name: plain(ask[lang]) for name, ask in rows["asks"].items()},
        "advice": {name: html_of(text, f"symptoms/{name}") for name, text in pages.items()},
    }


def fixes_data(rows: dict[str, Any], lang: Lang) -> dict[str, Any]:
    """Return the advice of entries by slug, as the diagnosis page shows it.

    Raises:
        SearchIndexError: A pattern of a case cannot be translated.
    """
    try:
        return {slug: advice_html(row, slug, lang) for slug, row in rows["fixes"].items()}
    except UntranslatableError as error:
        raise SearchIndexError(f"a case: {error}") from None


def _matcher(row: dict[str, Any]) -> dict[str, Any]:
    surroundings = {key: [_translated(p) for p in row[key]] for key in ("context", "unless")}
    return {**row, "pattern": _translated(row["pattern"]), **surroundings}


def _translated(pattern: str) -> str:
    try:
        return javascript_of(pattern)
    except UntranslatableError as error:
        raise SearchIndexError(f"pattern {pattern!r}: {error}") from None


def _card(card: dict[str, Any], lang: Lang) -> dict[str, str]:
    return {key: plain(card[key][lang]) for key in ("title", "summary")}


def _script(path: Path, name: str, data: dict[str, Any]) -> None:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    path.write_text(f"fixbook.data.{name}={text};\n", "utf-8")
