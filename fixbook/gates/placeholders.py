"""A measure in a text comes from a step that the text is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.gates.rests_on import steps_behind
from fixbook.gates.texts import texts_of
from fixbook.problem import Problem
from fixbook.recipe.record import PLACEHOLDER
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry, Key, Text
    from fixbook.gates.reading import Reading


def own_measures(reading: Reading) -> Iterator[Problem]:
    """Check that no text fills in the figure of a step that belongs to another part.

    A part that compares itself with another names the steps of that under ``beside``.
    """
    for item in reading.entries:
        used: dict[Key, set[str]] = {}
        for key, text in texts_of(item.entry):
            behind = steps_behind(item.entry, reading.outline(item), key)
            if behind is None:
                continue
            foreign = _measured(text) - behind
            used.setdefault(_part(key), set()).update(foreign)
            for step in sorted(foreign - set(_beside(item, key))):
                what = _("{name}: {step!r}, whose measure it fills in, is no step of it")
                what = what.format(name=".".join(map(str, key)), step=step)
                mend = _(
                    "take the measure of one of its own steps or of a control; "
                    "where it compares itself with another part, name the step under 'beside'"
                )
                yield Problem(item.source.where(key), what, mend)
        yield from _idle(item, used)


def _measured(text: Text) -> set[str]:
    return {found["step"] for side in (text.zh, text.en) for found in PLACEHOLDER.finditer(side)}


def _part(key: Key) -> Key:
    return key[:2] if key[0] in {"fixes", "non_fixes", "claims"} else key[:1]


def _beside(item: BookEntry, key: Key) -> list[str]:
    match key:
        case ("fixes" | "non_fixes" as field, int(index), *_):
            beside: list[str] = getattr(item.entry, field)[index].beside
            return beside
        case ("detect", *_):
            return item.entry.detect.beside
        case ("silent_twin", *_) if item.entry.silent_twin:
            return item.entry.silent_twin.beside
        case _:
            return []


def _idle(item: BookEntry, used: dict[Key, set[str]]) -> Iterator[Problem]:
    """A comparison that no text makes is a way around this gate that nobody needs."""
    keys: list[Key] = [("detect",), ("silent_twin",)]
    keys += [("fixes", index) for index in range(len(item.entry.fixes))]
    keys += [("non_fixes", index) for index in range(len(item.entry.non_fixes))]
    for key in keys:
        for step in sorted(set(_beside(item, key)) - used.get(key, set())):
            what = _("{name}: compares itself with no measure of {step!r}")
            what = what.format(name=".".join(map(str, key)), step=step)
            yield Problem(item.source.where(key), what, _("take it out of 'beside'"))
