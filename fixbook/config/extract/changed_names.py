"""The names that releases of a package no longer have, and those that older ones lack yet."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from packaging.version import Version

from fixbook.config.extract.names import modules_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from fixbook.config.extract.archives import Release
    from fixbook.config.extract.names import Module

    Modules = Mapping[str, Module]

_WHOLE = "*"  # in the place of a name: the module itself
# Names that are lists of addresses, and those that no training imports.
_LISTS = re.compile(r"_ARCHIVE_(?:MAP|LIST)$|^logg(?:er|ing)$|^__|^_?import_structure$")
_PRIVATE = re.compile(r"(?:^|\.)_")
_OF_MODELS = "models"
_GRAVEYARD = "/_graveyard/"
_WORD = re.compile(r"\w+(?:\.\w+)*")


def changed_names(releases: Iterable[Release]) -> dict[str, Any]:
    """Return how the names that can be imported from a package changed.

    Args:
        releases: In any order, all of the same package.

    Returns:
        ``releases`` in their order; ``gone``: by module and name, the last release that has it,
        and the module that the newest release defines it in, if it is one alone; ``since``: by
        module and release, the names that this release is the first to have. A module as a whole
        has the name ``*``.
    """
    ordered = sorted(releases, key=lambda release: Version(release.version))
    versions = [release.version for release in ordered]
    read = [modules_of(release.files) for release in ordered]
    buried = [_buried(release) for release in ordered]
    return {
        "releases": versions,
        "gone": dict(sorted(_gone(versions, read, buried).items())),
        "since": dict(sorted(_since(versions, read).items())),
    }


def _buried(release: Release) -> set[str]:
    """What Lightning puts back when it is imported, so that its use says what became of it."""
    texts = (text for path, text in release.files.items() if _GRAVEYARD in path)
    words = {word.partition(".")[2] or word for text in texts for word in _WORD.findall(text)}
    return words | {f"{word}Plugin" for word in words}  # which it puts together


def _gone(
    versions: list[str], read: Sequence[Modules], buried: list[set[str]]
) -> dict[str, dict[str, list[str]]]:
    homes = _homes(read[-1])
    gone: dict[str, dict[str, list[str]]] = {}
    for at, (before, after) in enumerate(pairwise(read)):
        for dotted, name in _lost(before, after):
            word, last = dotted if name == _WHOLE else name, at
            while last + 1 < len(versions) and word in buried[last + 1]:
                last += 1
            there = any(_has(later, dotted, name) for later in read[last + 1 :])
            if last + 1 < len(versions) and not there:
                gone.setdefault(dotted, {})[name] = [versions[last], *homes.get(name, ())]
    return gone


def _since(versions: list[str], read: Sequence[Modules]) -> dict[str, dict[str, list[str]]]:
    """Nothing private is told, of a model's modules only whole ones, and no name that is one."""
    since: dict[str, dict[str, list[str]]] = {}
    for at, (before, after) in enumerate(pairwise(read), start=1):
        lost = set(_lost(after, before))
        for dotted, name in sorted(lost):
            path = f"{dotted}.{name}".lstrip(".")
            told = not (_PRIVATE.search(path) or (path, _WHOLE) in lost)
            told &= name == _WHOLE or not dotted.startswith(_OF_MODELS)
            if told and not any(_has(earlier, dotted, name) for earlier in read[:at]):
                since.setdefault(dotted, {}).setdefault(versions[at], []).append(name)
    return since


def _lost(some: Modules, others: Modules) -> Iterator[tuple[str, str]]:
    """The names that some modules have and others have not."""
    for dotted, module in some.items():
        known = others.get(dotted)
        if known or not (_is_within(dotted, some, others) or _is_named(dotted, others)):
            lost = _worth(dotted, module) - known.names if known else {_WHOLE}
            yield from ((dotted, name) for name in sorted(lost))


def _is_within(dotted: str, some: Modules, others: Modules) -> bool:
    """Tell whether the package that a module is in is lost itself."""
    outer = dotted.rpartition(".")[0]
    return bool(outer) and outer in some and outer not in others


def _is_named(dotted: str, modules: Modules) -> bool:
    """Tell whether what is around a module has its name for something else, such as a function."""
    outer, _dot, last = dotted.rpartition(".")
    return bool(dotted) and outer in modules and last in modules[outer].names


def _has(modules: Modules, dotted: str, name: str) -> bool:
    return dotted in modules and (name == _WHOLE or name in modules[dotted].names)


def _worth(dotted: str, module: Module) -> set[str]:
    """The names that are told: of a model's modules the public ones that are defined there."""
    names = module.own
    if dotted.startswith(_OF_MODELS):
        names = {name for name in module.defined if not name.startswith("_")}
    return {name for name in names if not _LISTS.search(name)}


def _homes(modules: Modules) -> dict[str, list[str]]:
    """The module that alone defines a name, by name, unless it is private."""
    found: dict[str, list[str]] = {}
    for dotted, module in modules.items():
        for name in module.defined:
            found.setdefault(name, []).append(dotted)
    alone = {name: places for name, places in found.items() if len(places) == 1}
    return {name: places for name, places in alone.items() if not _PRIVATE.search(places[0])}


def as_text(table: dict[str, Any]) -> str:
    """Return a table as JSON with one module per line, so that changes read well."""
    parts = [json.dumps(table["releases"])]
    for part in ("gone", "since"):
        rows = [f"  {json.dumps(module)}: {json.dumps(row)}" for module, row in table[part].items()]
        parts.append("{\n" + ",\n".join(rows) + "\n }")
    names = ("releases", "gone", "since")
    body = (f'"{name}": {part}' for name, part in zip(names, parts, strict=True))
    return "{" + ",\n ".join(body) + "}\n"
