"""YAML as a tree of nodes with the places where they are written, aliases included."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_COLON = re.compile(r"[ \t]*:")
_KEEPS = re.compile(r"[|>][0-9]?\+")
_COMMENT = re.compile(r"(?m)(?:^|(?<=[ \t]))#[^\n]*")


@dataclass(slots=True)
class Node:
    """A part of a document, as it is written.

    Attributes:
        kind: ``scalar``, ``mapping``, ``sequence`` or ``alias``.
        start: Offset of its first character, that of an anchor or tag if it has one.
        end: Offset where the parser knows it has ended; blank lines and comments may lie before.
        style: How a scalar is quoted, or ``flow`` for a collection in brackets.
        anchor: Its anchor, or what an alias refers to.
        value: A scalar's text.
        pairs: A mapping's keys and values.
        items: A sequence's items.
    """

    kind: str
    start: int
    end: int
    style: str = ""
    anchor: str = ""
    value: str = ""
    pairs: list[tuple[Node, Node]] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """Yield it and every node in it."""
        yield self
        for node in (*self.items, *(node for pair in self.pairs for node in pair)):
            yield from node.walk()


def tree(text: str) -> Node:
    """Return the root of a document.

    Raises:
        yaml.YAMLError: It is not YAML.
        ValueError: It holds nothing.
    """
    events: Iterator[Any] = yaml.parse(text, Loader=_Loader)
    for event in events:
        if not isinstance(event, yaml.StreamStartEvent | yaml.DocumentStartEvent):
            return _node(event, events)
    raise ValueError("no document")


def _node(event: Any, events: Iterator[Any]) -> Node:
    start, end, anchor = event.start_mark.index, event.end_mark.index, event.anchor or ""
    if isinstance(event, yaml.AliasEvent):
        return Node("alias", start, end, anchor=anchor)
    if isinstance(event, yaml.ScalarEvent):
        return Node("scalar", start, end, event.style or "", anchor, event.value)
    closing = {yaml.MappingEndEvent, yaml.SequenceEndEvent}
    children: list[Node] = []
    for child in events:
        if type(child) in closing:
            end = child.end_mark.index
            break
        children.append(_node(child, events))
    style = "flow" if event.flow_style else ""
    if isinstance(event, yaml.SequenceStartEvent):
        return Node("sequence", start, end, style, anchor, items=children)
    pairs = list(zip(children[::2], children[1::2], strict=True))
    return Node("mapping", start, end, style, anchor, pairs=pairs)


def pair_end(text: str, pair: tuple[Node, Node]) -> int:
    """Return the offset behind the last character of a pair, without comments and blank lines."""
    key, value = pair
    colon = _COLON.match(text, key.end)
    return max(colon.end() if colon else key.end, content_end(text, value))


def content_end(text: str, node: Node) -> int:
    """Return the offset behind the last character of a node, without comments and blank lines."""
    if node.style == "flow" or node.kind == "alias":
        return node.end
    if node.kind == "scalar":
        if node.style not in {"|", ">"} or _KEEPS.search(text, node.start, node.end):
            return node.end
        return node.start + len(text[node.start : node.end].rstrip(" \t\n"))
    ends = [content_end(text, item) for item in node.items]
    ends += [pair_end(text, pair) for pair in node.pairs[-1:]]
    return max(ends, default=node.end)


def comments(text: str) -> list[str]:
    """Return the comments of a document, sorted."""
    parts, position = [], 0
    for node in tree(text).walk():
        if node.kind != "scalar" or node.start == node.end:
            continue
        # What stands behind the mark of a block scalar is a comment.
        head = text.find("\n", node.start, node.end) if node.style in {"|", ">"} else node.start
        parts.append(text[position : node.end if head < 0 else head])
        position = node.end
    left = "~".join([*parts, text[position:]])
    return sorted(found[0].rstrip() for found in _COMMENT.finditer(left))
