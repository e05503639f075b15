"""Rules name tools, schemas and keys that are known, and each has its two fixtures."""

from __future__ import annotations

import difflib
import functools
from typing import TYPE_CHECKING, Any

from fixbook.config.listed import as_listed
from fixbook.config.tool import IMPORTS
from fixbook.config.tools import EVERY, TOOLS, machine, schema_of, transformers
from fixbook.machine.report import is_key, keys
from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from fixbook.book import BookRule, Condition
    from fixbook.config.tool import Schema, Tool
    from fixbook.gates.reading import Reading

_FIXTURES = ("fails", "passes")
_MISSPELT = 0.85
_PARTS = 3  # of the name of a list of values: tool/schema/key


def known_rules(reading: Reading) -> Iterator[Problem]:
    """Check what rules name against the key tables, and that their fixtures are there."""
    for item in reading.book.rules.values():
        problems = list(_tools(item))
        yield from problems
        if not problems:
            yield from _new_names(item)
            yield from _keys(item)
        yield from _lists(item)
        yield from _fixtures(item)
        if item.entry and item.entry not in reading.book.entries:
            what = _unknown("entry", item.entry)
            mend = _("name an entry of the book, or leave it out")
            yield Problem(item.where("entry"), what, mend)


def _tools(item: BookRule) -> Iterator[Problem]:
    for name in item.rule.tools:
        tool, slash, schema = name.partition("/")
        where = item.where("tools", name)
        if tool not in EVERY:
            yield Problem(where, _unknown("tools", tool), _use(tool, EVERY))
        elif slash and schema not in _names(EVERY[tool]):
            what = _("tools: {tool} has no schema {schema!r}").format(tool=tool, schema=schema)
            yield Problem(where, what, _use(schema, _names(EVERY[tool])))
    if item.rule.beside and item.rule.beside not in TOOLS:
        what = _unknown("beside", item.rule.beside)
        yield Problem(item.where("beside"), what, _use(item.rule.beside, TOOLS))


def _names(tool: Tool) -> list[str]:
    return [*tool.schemas, *([IMPORTS] if tool.classes else [])]


def _schemas(item: BookRule) -> list[Schema]:
    """The schemas that a rule is about; none of a tool without a key table."""
    found = []
    for name in item.rule.tools:
        tool, slash, schema = name.partition("/")
        names = [schema] if slash else EVERY[tool].schemas
        found += [schema_of(tool, one) for one in names]
    return found


def _new_names(item: BookRule) -> Iterator[Problem]:
    every = {key for schema in _schemas(item) for key in schema.keys}
    for old, new in item.rule.renames.items():
        if new and new not in every:
            what = _("renames: none of its tools has a key {key!r}").format(key=new)
            yield Problem(item.where("renames", old), what, _use(new, every))


def _keys(item: BookRule) -> Iterator[Problem]:
    """A condition on a misspelt key is never true, or always."""
    if machine.TOOL.name in item.rule.tools:
        yield from _machine_keys(item)
        return
    own = {key for schema in _schemas(item) for key in schema.keys}
    for key, place in _named(item.rule.when, ("when",)):
        tool, _colon, name = key.rpartition(":")
        if tool and tool not in TOOLS:
            yield Problem(item.where(*place), _unknown(key, tool), _use(tool, TOOLS))
            continue
        known = schema_of(tool).keys if tool else own
        if any(as_listed(schema, tuple(name.split("."))) in known for schema in _schemas(item)):
            continue
        if name in known or name in _every_key() or _within_a_free_section(name, known):
            continue  # a script's own argument may be another tool's, and is then spelt right
        close = difflib.get_close_matches(name, known, n=1, cutoff=_MISSPELT)
        if close:
            what = _("{name!r} is a key of no tool").format(name=name)
            mend = _("did you mean {names}?").format(names=close[0])
            yield Problem(item.where(*place), what, mend)


def _within_a_free_section(name: str, known: Collection[str]) -> bool:
    """Tell whether a key stands in a section whose keys no tool lists."""
    section, dot, _key = name.rpartition(".")
    return (
        bool(dot) and section in known and not any(key.startswith(section + ".") for key in known)
    )


def _machine_keys(item: BookRule) -> Iterator[Problem]:
    named = [*_named(item.rule.when, ("when",)), *((key, ("at",)) for key in [item.rule.at])]
    for key, place in named:
        if not is_key(key):
            what = _("no report of a machine has a key {key!r}").format(key=key)
            yield Problem(item.where(*place), what, _use(key, keys()))


@functools.cache
def _every_key() -> frozenset[str]:
    schemas = (schema_of(tool.name, name) for tool in TOOLS.values() for name in tool.schemas)
    return frozenset(key for schema in schemas for key in schema.keys) | transformers.SCRIPT


def _named(
    condition: Condition | None, place: tuple[str | int, ...]
) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    """Yield the keys that a condition looks up, with the place of each."""
    if condition is None:
        return
    for group in ("all", "any"):
        for index, part in enumerate(getattr(condition, group)):
            yield from _named(part, (*place, group, index))
    yield from _named(condition.not_, (*place, "not"))
    for name in filter(None, condition.key.split("*")):
        yield name, (*place, "key")
    for field in ("differs", "below"):
        if name := getattr(condition, field):
            yield name, (*place, field)
    for index, name in enumerate(condition.indivisible):
        yield name, (*place, "indivisible", index)


def _lists(item: BookRule) -> Iterator[Problem]:
    for place, names in _outside(item.rule.when, ("when",)):
        for index, name in enumerate(names):
            parts = name.split("/")
            if len(parts) == _PARTS and not _values(parts):
                what = _("outside: no list of values is known of {name!r}").format(name=name)
                yield Problem(item.where(*place, index), what, _("write tool/schema/key"))


def _values(parts: list[str]) -> Any:
    tool, schema, key = parts
    return tool in TOOLS and schema_of(tool, schema).keys.get(key, {}).get("values")


def _outside(
    condition: Condition | None, place: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], list[str]]]:
    if condition is None:
        return
    for group in ("all", "any"):
        for index, part in enumerate(getattr(condition, group)):
            yield from _outside(part, (*place, group, index))
    yield from _outside(condition.not_, (*place, "not"))
    if condition.outside:
        yield (*place, "outside"), condition.outside


def _fixtures(item: BookRule) -> Iterator[Problem]:
    for name in _FIXTURES:
        if item.fixture(name) is None:
            reported = _("add a configuration that the rule reports")
            mend = reported if name == "fails" else _("add a configuration that it leaves alone")
            yield Problem(str(item.folder / f"{name}.*"), _("is missing"), mend)


def _use(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=3)
    if close:
        return _("did you mean {names}?").format(names=_(" or ").join(close))
    return _("use a name of its key table")


def _unknown(where: str, name: str) -> str:
    return _("{where}: {name!r} is not known").format(where=where, name=name)
