"""An address, once published, stays: slugs are listed and never reused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.gates.proof import read_list, sorted_list
from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading

SLUGS = "slugs.txt"


def slugs_never_reused(reading: Reading) -> Iterator[Problem]:
    """Check the list of slugs against the entries, both ways."""
    book = reading.book
    path = book.root / SLUGS
    listed = read_list(path)
    yield from sorted_list(path, listed)
    for slug in book.entries.keys() - set(listed):
        what = _("does not list {slug!r}").format(slug=slug)
        yield Problem(str(path), what, _("add the line"))
    for slug in set(listed) - book.entries.keys():
        what = _("lists {slug!r}, which has no entry").format(slug=slug)
        mend = _("bring the entry back with 'status: retired'; published addresses stay")
        yield Problem(str(path), what, mend)
