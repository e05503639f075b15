"""Which steps a text of an entry rests on: those of its fix, its claim, its measurement."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.book import Entry, Key
    from fixbook.recipe.reading import Outline

_KINDS = {"fixes": "fix", "non_fixes": "non_fix"}


def steps_behind(entry: Entry, outline: Outline, key: Key) -> set[str] | None:
    """Return the steps behind a text, with their controls; None if it rests on the whole entry.

    Args:
        entry: The entry.
        outline: Its recipe.
        key: Where the text stands in the entry.
    """
    named = _named(entry, outline, key)
    if named is None:
        return None
    steps = outline.steps
    known = [name for name in named if name in steps]
    return {*known, *(steps[name].control for name in known if steps[name].control)}


def _named(entry: Entry, outline: Outline, key: Key) -> Iterable[str] | None:
    match key:
        case ("fixes" | "non_fixes" as field, int(index), *_):
            advice = getattr(entry, field)[index]
            return [
                name
                for name, step in outline.steps.items()
                if step.target == advice.id and step.kind == _KINDS[field]
            ]
        case ("claims", int(index), *_):
            return entry.claims[index].steps
        case ("detect", *_):
            return entry.detect.steps
        case ("silent_twin", *_):
            return entry.silent_twin.steps if entry.silent_twin else []
        case ("steps", str(name), *_):
            return [name]
        case _:
            return None
