"""What an answer says of an entry: every fix with its code, its price and its cases, the check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.article.change import changed_lines
from fixbook.book import Targets, with_places, with_snippets
from fixbook.index.cases import case_rows
from fixbook.recipe.record import fill_entry, load_evidence
from fixbook.text import LANGS

if TYPE_CHECKING:
    from fixbook.book import Book, BookEntry, ConfigChange, Entry, Fix, Snippet, Text

# Lines of a change: a whole file is on the page.
MOST_CHANGED = 24


def advice_row(item: BookEntry, book: Book) -> dict[str, Any]:
    """Return the advice of an entry as plain data, in both languages.

    Measures are filled in where there is evidence; the places of the reader's values stay. Where a
    text sends its reader to another page, it holds a link below the root of the language.
    """
    link = Targets(book, item.slug).linked
    evidence = load_evidence(item)
    entry = fill_entry(item.slug, item.entry, evidence, link=link, draft=True, places=True)
    snippets = {
        name: one.model_copy(update={"code": with_places(one.code, one.fills)})
        for name, one in entry.snippets.items()
    }
    entry = entry.model_copy(update={"snippets": snippets})
    return {
        "fixes": [_fix(fix, entry, item) for fix in entry.fixes],
        "avoid": [
            {"title": _both(one.title, entry), "text": _both(one.text, entry)}
            | {"when": case_rows(one.when)}
            for one in entry.non_fixes
            if one.when
        ],
        "detect": {
            "text": _both(entry.detect.text, entry),
            "code": _code(entry.detect.snippet, entry),
            "when": case_rows(entry.detect.when),
        },
        "yours": {name: blank.model_dump() for name, blank in entry.yours.items()},
        "names": entry.names.now if entry.names else {},
    }


def _fix(fix: Fix, entry: Entry, item: BookEntry) -> dict[str, Any]:
    return {
        "id": fix.id,
        "title": _both(fix.title, entry),
        "text": _both(fix.text, entry),
        "trade_off": _both(fix.trade_off, entry) if fix.trade_off else None,
        "code": _code(fix.snippet, entry),
        "changes": [row for change in fix.config if (row := _change(change, item))],
        "when": case_rows(fix.when),
    }


def _both(text: Text, entry: Entry) -> dict[str, str]:
    return {lang: with_snippets(text.of(lang), entry.snippets, lang) for lang in LANGS}


def _code(name: str | None, entry: Entry) -> dict[str, str] | None:
    snippet: Snippet | None = entry.snippets.get(name or "")  # a gate names one that is not there
    if snippet is None:
        return None
    row = {"language": snippet.language, "text": snippet.code.rstrip()}
    return row | ({"zh": snippet.code_in("zh").rstrip()} if snippet.comments else {})


def _change(change: ConfigChange, item: BookEntry) -> dict[str, Any] | None:
    """Return the lines that a change of a configuration takes and gives; None without the files."""
    lines = changed_lines(item.folder, change).splitlines()[:MOST_CHANGED]
    if not lines:
        return None
    text = with_places("\n".join(lines).rstrip(), change.fills)
    return {"tool": change.tool, "version": change.version, "text": text}
