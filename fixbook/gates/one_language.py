"""An entry that is proposed in one language: what only the other one lacks is set aside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.book import YamlSource, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.book import Key
    from fixbook.problem import Problem
    from fixbook.text import Lang

_UNWRITTEN = "TODO"


@dataclass(frozen=True, slots=True)
class Missing:
    """The texts of an entry that are written in one language and not in the other.

    Attributes:
        lang: The language that lacks them.
        places: Each as ``path:line``.
        lines: By file, the lines of which nothing but the other language is unwritten.
    """

    lang: Lang
    places: tuple[str, ...]
    lines: dict[str, frozenset[int]]

    def explains(self, problem: Problem) -> bool:
        """Tell whether a problem is that a text is not written in the language yet."""
        path, _colon, line = problem.where.rpartition(":")
        if line.isdigit():
            return int(line) in self.lines.get(path, ())
        return problem.where.startswith(f"{self.lang}/")  # a page, which is built of such texts


def missing_in(lang: Lang, folder: Path) -> Missing:
    """Find what an entry lacks in one language alone.

    Args:
        lang: The language.
        folder: The entry's.

    Raises:
        BookError: A file of it cannot be read.
    """
    places: list[str] = []
    lines: dict[str, frozenset[int]] = {}
    for path in sorted(folder.glob("*.yaml")):
        source = read_yaml(path)
        keys = list(_unwritten(source.value, (), lang))
        others = {number for key in _everything_else(source.value, (), lang) for number in
                  _lines(source, key)}  # fmt: skip
        places += [source.where(key) for key in keys]
        lines[str(path)] = frozenset(
            number for key in keys for number in (*_lines(source, key), *_lines(source, key[:-1]))
        ) - frozenset(others)
    return Missing(lang, tuple(places), lines)


def _unwritten(value: Any, at: Key, lang: Lang) -> Iterator[Key]:
    """Yield the places of texts that only this language lacks."""
    if isinstance(value, dict):
        if {"zh", "en"} <= value.keys():
            sides = {side: _UNWRITTEN in str(value[side]) for side in ("zh", "en")}
            if sides.pop(lang) and not any(sides.values()):
                yield (*at, lang)
            return
        for key, inner in value.items():
            yield from _unwritten(inner, (*at, key), lang)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            if lang == "zh" and isinstance(inner, dict) and inner.get("kind") == "chinese":
                if _UNWRITTEN in str(inner.get("text")):
                    yield (*at, number, "text")
                continue
            yield from _unwritten(inner, (*at, number), lang)


def _everything_else(value: Any, at: Key, lang: Lang) -> Iterator[Key]:
    """Yield the places of all other values that are unwritten."""
    if isinstance(value, str):
        if _UNWRITTEN in value:
            yield at
    elif isinstance(value, dict) and {"zh", "en"} <= value.keys():
        if not list(_unwritten(value, at, lang)):
            for side in ("zh", "en"):
                yield from _everything_else(value[side], (*at, side), lang)
    elif isinstance(value, dict) and lang == "zh" and value.get("kind") == "chinese":
        return
    elif isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in pairs:
            yield from _everything_else(inner, (*at, key), lang)


def _lines(source: YamlSource, key: Key) -> range:
    """The lines on which a value stands: from its own to that of the next."""
    first = int(source.where(key).rpartition(":")[2])
    after = [line for line in source.lines.values() if line > first]
    return range(first, min(after, default=first + 1))
