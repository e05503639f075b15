"""An entry was held against public threads, and has what their readers needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.book import THREADS_FILE, load_threads
from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book, BookEntry, Thread
    from fixbook.gates.reading import Reading

FEWEST = 2
_PARTS = {"cause", "detect", "not_this_if", "silent_twin", "symptom"}


def threads_lead_somewhere(reading: Reading) -> Iterator[Problem]:
    """Check that the threads of an entry lead to parts of it, and that nothing is missing there."""
    for item in reading.entries:
        path = str(item.folder / THREADS_FILE)
        try:
            threads = load_threads(item)
        except BookError as error:
            yield from error.problems
            continue
        if len(threads) < FEWEST:
            what = _("holds {count} threads").format(count=len(threads))
            mend = _("read {fewest} public threads of the message that the page does not cite")
            yield Problem(path, what, mend.format(fewest=FEWEST))
        for number, thread in enumerate(threads, 1):
            for what, mend in _objections(thread, item, reading.book):
                yield Problem(f"{path}: {number}", what, mend)


def _objections(thread: Thread, item: BookEntry, book: Book) -> Iterator[tuple[str, str]]:
    cited = {reference.url.rstrip("/") for reference in item.entry.references}
    if thread.url.rstrip("/") in cited:
        what = _("{url} is one of the page's own references").format(url=thread.url)
        yield what, _("take another: what a page was written from cannot speak against it")
    if thread.missing:
        yield (
            _("{url} lacks something on the page").format(url=thread.url),
            _("add it and write 'added', or write under 'refused' why not"),
        )
    elif thread.leads_to != "missing" and not _is_there(thread.leads_to, item, book):
        what = _("{target!r} is no part of the entry").format(target=thread.leads_to)
        yield what, _("name a fix, a signature, a section or another page that there is")


def _is_there(target: str, item: BookEntry, book: Book) -> bool:
    kind, _colon, name = target.partition(":")
    match kind:
        case "other":  # of the whole book, also where one entry alone is looked at
            return (book.root / "recipes" / name).is_dir()
        case "message":
            return (book.root / "symptoms" / f"{name}.yaml").is_file()
        case "fix":
            return any(one.id == name for one in item.entry.fixes)
        case "non_fix":
            return any(one.id == name for one in item.entry.non_fixes)
        case "signature":
            return any(one.id == name for one in item.entry.signatures)
    return kind in _PARTS
