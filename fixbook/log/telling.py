"""Which line of a failure to show: the one that says most, not the one that comes first.

A traceback prints the source line that raised above the sentence that says what was wrong: code
decides nothing where anything else does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.log.errors import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fixbook.log.exception import When
    from fixbook.log.scanned import Hit
    from fixbook.log.signatures import Index

# Lines below the first in which the same failure goes on.
MOST_BELOW = 60


def telling_of(hits: Sequence[Hit], index: Index) -> Hit:
    """Return the hit to show: of the exceptions the one that captures most, or says most.

    Args:
        hits: Those of one entry or message, in the order of the log.
        index: The index they were found with.
    """
    first = hits[0]
    if not index.matchers[first.matcher].specific:
        return first
    raised = [
        hit
        for hit in hits
        if (hit.source, hit.line.rank) == (first.source, first.line.rank)
        and hit.line.number - first.line.number <= MOST_BELOW
        and ERROR.match(hit.line.text)
    ]
    return max(raised, key=lambda hit: (len(hit.captures), len(hit.line.text)), default=first)


def without_code(
    placed: Sequence[tuple[When, Hit]], index: Index, *, errors: bool
) -> Iterator[tuple[When, Hit]]:
    """Yield hits without those of source lines that something else speaks for.

    Args:
        placed: Hits in their order.
        index: The index they were found with.
        errors: Whether the logs hold an exception that no pattern matched.
    """
    plain = [hit for _, hit in placed if not hit.code]
    owners = {index.matchers[hit.matcher].owner for hit in plain}
    by_line: dict[tuple[str, int, int | None], set[str]] = {}
    for hit in plain:
        by_line.setdefault(_line(hit), set()).add(index.matchers[hit.matcher].owner)
    for when, hit in placed:
        owner = index.matchers[hit.matcher].owner
        here = by_line.get(_line(hit), set())
        others = {one for one in here if owner not in index.causes.get(one, ())}
        raised = ERROR.match(hit.line.text) is not None  # else a line that raises, without its end
        if not hit.code or not (owner in owners or others or (not raised and (plain or errors))):
            yield when, hit


def _line(hit: Hit) -> tuple[str, int, int | None]:
    return hit.source, hit.line.number, hit.line.rank
