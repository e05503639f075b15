"""What two ranks say of one thing: a pattern may ask that they disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fixbook.log.scanned import Hit
    from fixbook.log.signatures import Index


class Disagreements:
    """Which hits belong to ranks that disagree.

    Args:
        hits: What was found in all logs of a run: of each pattern the first of a rank.
        index: The index that was looked for.
    """

    def __init__(self, hits: Iterable[Hit], index: Index) -> None:
        self._index = index
        self._said: dict[tuple[object, ...], set[tuple[str | None, ...]]] = {}
        for hit in hits:
            matcher = index.matchers[hit.matcher]
            if matcher.differ:
                values = _values(hit, matcher.differ)
                self._said.setdefault(self._key(hit), set()).add(values)

    def allow(self, hit: Hit) -> bool:
        """Tell whether a hit counts: another rank differs, or its pattern asks for none."""
        return not self._index.matchers[hit.matcher].differ or len(self._said[self._key(hit)]) > 1

    def _key(self, hit: Hit) -> tuple[object, ...]:
        return (hit.matcher, *_values(hit, self._index.matchers[hit.matcher].same))


def _values(hit: Hit, names: Sequence[str]) -> tuple[str | None, ...]:
    return tuple(hit.captures.get(name) for name in names)
