"""Which line of a failure to show: the one that says most, not the one that comes first.

A traceback prints the source line that raised above the sentence that says what was wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.log.errors import ERROR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.log.scan import Hit
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
