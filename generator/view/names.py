"""The table of names that changed: what each executed release does with them, off its record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.view.tables import cell, grid

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.book import Names
    from generator.text.strings import Words
    from generator.view.steps import StepView

_TAKEN = {"takes", "warns", "drops"}
_NOTHING = "—"
_Seen = list[tuple[str, dict[str, str]]]  # by release, oldest first: what it does with each name


def names_table(names: Names, steps: Mapping[str, StepView], words: Words) -> str:
    """Return the table as Markdown, with the releases it rests on below it.

    Args:
        names: What the entry says of them.
        steps: Its steps by name.
        words: Strings of the language.
    """
    seen = list(_seen(names, steps))
    heads = [words(f"names_{part}") for part in ("old", "until", "from", "new", "since")]
    body = [_row(old, new, seen, words) for old, new in names.now.items()]
    releases = words("comma").join(release for release, _ in seen)
    note = words("names_note", versions=f"{names.package} {releases}")
    return f"{grid(heads, body)}\n\n{note}"


def gone(names: Names, steps: Mapping[str, StepView]) -> Iterator[tuple[str, str, str]]:
    """Yield each name that releases took, what it is today, and the first that refuses it.

    Args:
        names: What the entry says of them.
        steps: Its steps by name.
    """
    seen = list(_seen(names, steps))
    for old, new in names.now.items():
        taken, refused = _sides(old, seen)
        if taken and refused:
            yield old, new, refused[0]


def _sides(name: str, seen: _Seen) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the releases that take a name, with how, and those after them that refuse it."""
    taken = [(release, does[name]) for release, does in seen if does.get(name) in _TAKEN]
    order = [release for release, _ in seen]
    later = seen[order.index(taken[-1][0]) + 1 :] if taken else seen
    return taken, [release for release, does in later if does.get(name) == "refuses"]


def _seen(names: Names, steps: Mapping[str, StepView]) -> Iterator[tuple[str, dict[str, str]]]:
    for step in (steps[name] for name in names.steps if name in steps):
        if step.run.record:
            rows: list[dict[str, Any]] = step.run.measures.get("names", [])
            yield _release(step, names.package), {row["name"]: row["does"] for row in rows}


def _release(step: StepView, package: str) -> str:
    for requirement in step.step.needs.versions:
        name, _, version = requirement.partition("==")
        if name == package:
            return version
    return step.run.record.versions.get(package, "") if step.run.record else ""


def _row(old: str, new: str, seen: _Seen, words: Words) -> list[str]:
    taken, refused = _sides(old, seen)
    last = taken[-1][0] if taken else ""
    notes = [
        words(f"names_{done}", version=since)
        for done in ("warns", "drops")
        if (since := next((release for release, does in taken if does == done), ""))
    ]
    until = words("semicolon").join([last or _NOTHING, *notes])
    first = refused[0] if refused else _NOTHING
    return [_code(old), until, first, _code(new), _since(new, seen, words)]


def _since(new: str, seen: _Seen, words: Words) -> str:
    """The first executed release that does as a new name says, if the steps asked for it."""
    taken = [release for release, does in seen if does.get(new) in _TAKEN - {"drops"}]
    if not taken:
        return _NOTHING
    return words("names_before", version=taken[0]) if taken[0] == seen[0][0] else taken[0]


def _code(text: str) -> str:
    return f"`{text}`" if text else cell(None, "en")
