"""Edit YAML at the places where its keys stand; every other character stays as it is."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import yaml

from fixbook.config.edit import CannotMendError, Edit
from fixbook.config.yaml_nodes import Node, pair_end, tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.setting import Section

_TRIES = 3  # places for a new key: behind the last one, else behind one of those before it
_REST = re.compile(r"[ \t]*(,?)[ \t]*(?:#[^\n]*)?(?=\n|\Z)")


def edits(text: str, section: Section, operation: dict[str, Any]) -> Iterator[list[Edit]]:
    """Yield ways to carry out an operation, the most natural first.

    Args:
        text: The file's text.
        section: What was read from it.
        operation: ``set`` with ``value``, ``remove``, or ``rename`` with ``to``.

    Raises:
        CannotMendError: There is none.
    """
    name = operation.get("rename") or operation.get("remove") or operation["set"]
    setting = section.settings.get(name)
    if setting is not None and setting.inherited:
        raise CannotMendError("inherited", key=name)
    path = setting.path if setting else tuple(name.split("."))
    holder = _holder(tree(text), path[:-1], name)
    at = next((n for n, (key, _) in _last_first(holder) if key.value == path[-1]), None)
    if at is None:
        if "set" not in operation:
            raise CannotMendError("absent", key=name)
        yield from _added(text, holder, path[-1], operation["value"])
    elif "set" in operation:
        yield [_set(text, holder.pairs[at], name, operation["value"])]
    elif "rename" in operation:
        yield [_renamed(text, holder.pairs[at][0], name, operation["to"])]
    else:
        yield _removed(text, holder, at, name)


def _last_first(holder: Node) -> list[tuple[int, tuple[Node, Node]]]:
    """Of a key that is written twice the last one counts."""
    return list(enumerate(holder.pairs))[::-1]


def _holder(node: Node, path: tuple[str, ...], name: str) -> Node:
    for part in path:
        if node.kind == "sequence":
            node = node.items[int(part)]
        else:
            found = (value for _, (key, value) in _last_first(node) if key.value == part)
            node = next(found, Node("", 0, 0))
    if node.kind == "alias":
        raise CannotMendError("inherited", key=name)
    if node.kind != "mapping":
        raise CannotMendError("no-place", key=name)
    return node


def _set(text: str, pair: tuple[Node, Node], name: str, value: Any) -> Edit:
    key, old = pair
    if old.anchor and old.kind != "alias":
        raise CannotMendError("anchor", key=name)
    is_block = old.kind in {"mapping", "sequence"} and old.style != "flow"
    if is_block or old.style in {"|", ">"}:
        raise CannotMendError("no-value", key=name)
    if old.start == old.end:
        end = pair_end(text, (key, old))
        return Edit(end, end, " " + _scalar(value))
    return Edit(old.start, old.end, _scalar(value, old.style))


def _scalar(value: Any, style: str = "") -> str:
    """Write a value, a string in the quotes that the one before it had."""
    if isinstance(value, str) and style == '"':
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and style == "'":
        return "'" + value.replace("'", "''") + "'"
    written: str = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10**6)
    return written.removesuffix("\n").removesuffix("\n...")


def _renamed(text: str, key: Node, name: str, to: str) -> Edit:
    parent, _, short = to.rpartition(".")
    if parent != name.rpartition(".")[0]:
        raise CannotMendError("moves", key=name, to=to)
    if key.anchor or key.kind != "scalar" or text[key.start] == "!":
        raise CannotMendError("anchor", key=name)
    return Edit(key.start, key.end, _scalar(short, key.style))


def _added(text: str, holder: Node, short: str, value: Any) -> Iterator[list[Edit]]:
    style = holder.pairs[-1][0].style if holder.pairs else ""
    pair = f"{_scalar(short, style)}: {_scalar(value, style)}"
    if holder.style == "flow":
        yield _added_in_brackets(text, holder, pair)
        return
    first = holder.pairs[0][0].start
    if text.startswith("?", holder.start):
        first = holder.start
    indent = " " * (first - _line_start(text, first))
    for last in holder.pairs[::-1][:_TRIES]:
        end = pair_end(text, last)
        if end and text[end - 1] == "\n":
            yield [Edit(end, end, f"{indent}{pair}\n")]
        else:
            end = _line_end(text, end)
            yield [Edit(end, end, f"\n{indent}{pair}")]
    yield [Edit(first, first, f"{pair}\n{indent}")]


def _added_in_brackets(text: str, holder: Node, pair: str) -> list[Edit]:
    if not holder.pairs:
        inside = text.index("{", holder.start) + 1
        return [Edit(inside, inside, pair)]
    key, end = holder.pairs[-1][0], pair_end(text, holder.pairs[-1])
    rest = _REST.match(text, end)
    before = text[_line_start(text, key.start) : key.start]
    if before.strip() or not rest or not key.start - len(before):
        return [Edit(end, end, f", {pair}")]
    if rest[1]:
        return [Edit(rest.end(), rest.end(), f"\n{before}{pair},")]
    if rest.end() == end:
        return [Edit(end, end, f",\n{before}{pair}")]
    return [Edit(end, end, ","), Edit(rest.end(), rest.end(), f"\n{before}{pair}")]


def _removed(text: str, holder: Node, at: int, name: str) -> list[Edit]:
    if len(holder.pairs) == 1:
        raise CannotMendError("last", key=name)
    if any(
        node.anchor and node.kind != "alias" for part in holder.pairs[at] for node in part.walk()
    ):
        raise CannotMendError("anchor", key=name)
    start, end = holder.pairs[at][0].start, pair_end(text, holder.pairs[at])
    line = _line_start(text, start)
    if holder.style == "flow":
        return [_removed_in_brackets(text, holder, at)]
    if text[line:start].strip():  # the first key of a list's item
        return [Edit(start, holder.pairs[at + 1][0].start, "")]
    if text[end - 1] == "\n":
        return [Edit(line, end, "")]
    stop = _line_end(text, end)
    behind = text[end:stop].strip()
    if behind:  # a comment stays, on a line of its own
        return [Edit(start, stop, behind)]
    if stop == len(text):
        return [Edit(max(line - 1, 0), stop, "")]
    return [Edit(line, stop + 1, "")]


def _removed_in_brackets(text: str, holder: Node, at: int) -> Edit:
    start, end = holder.pairs[at][0].start, pair_end(text, holder.pairs[at])
    if at + 1 < len(holder.pairs):
        return Edit(start, holder.pairs[at + 1][0].start, "")
    return Edit(pair_end(text, holder.pairs[at - 1]), end, "")


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end
