"""Write a YAML file of the book in its one style.

Block style; a list or mapping of plain values on one line where it fits; a sentence a line in
texts, 120 columns; keys in the order of the page. Comments stay. What is read from the result is
what was read before.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError
from ruamel.yaml.scalarstring import (
    DoubleQuotedScalarString,
    LiteralScalarString,
    SingleQuotedScalarString,
)
from ruamel.yaml.tokens import CommentToken

from fixbook.book import LOADER
from fixbook.style.order import field_order, models_below
from fixbook.text import _, break_lines, columns, join_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel

WIDTH = 120
_ONE_LINE = 100  # a list or mapping on one line is read at a glance, or not at all
_LANGUAGES = ("zh", "en")
_AMBIGUOUS = re.compile(r"""[][{},?:#&*!|>%@`\\"]""")
_STRAY = re.compile(r"^\s*- {3,}#", re.MULTILINE)  # a comment that has lost its line
_RESOLVER = yaml.resolver.Resolver()
_STRING = "tag:yaml.org,2002:str"
_UNBOUNDED = 1_000_000

Models = tuple[type["BaseModel"], ...]


class StyleError(Exception):
    """A file could not be written in the one style; it is left as it was."""


def format_source(text: str, model: type[BaseModel]) -> str:
    """Return a YAML file in the one style.

    Args:
        text: The file, valid YAML.
        model: What it describes; gives the order of keys.

    Raises:
        StyleError: It is not valid YAML, or could not be written without loss.
    """
    try:
        before, tree = _plain(text), _round_trip().load(text)
    except (YAMLError, yaml.YAMLError) as error:
        what = _("is not valid YAML: {reason}").format(reason=str(error).splitlines()[0])
        raise StyleError(what) from None
    if not isinstance(tree, CommentedMap):
        return text
    comments = _comments(tree)
    _arrange(tree, (model,), 0)
    written = _dump(tree)
    if not _same(written, before, comments):
        _quote_keys(tree)
        written = _dump(tree)
    if not _same(written, before, comments):
        what = _("cannot be formatted without loss; put each comment on a line of its own")
        raise StyleError(what)
    return written


def _same(written: str, before: Any, comments: list[str]) -> bool:
    if _STRAY.search(written):
        return False
    try:
        return _plain(written) == before and _comments(_round_trip().load(written)) == comments
    except (YAMLError, yaml.YAMLError):
        return False


def _round_trip() -> YAML:
    writer = YAML()
    writer.width = _UNBOUNDED  # lines are broken where sentences end, and nowhere else
    writer.indent(mapping=2, sequence=2, offset=0)
    return writer


def _dump(tree: Any) -> str:
    out = io.StringIO()
    _round_trip().dump(tree, out)
    return out.getvalue()


def _arrange(node: Any, models: Models, indent: int) -> None:
    """Put a mapping or list into block style, its parts below it, and keys into order."""
    match node:
        case CommentedMap():
            _sort(node, field_order(models))
            for key, value in node.items():
                node[key] = _part(value, models_below(models, key), indent, len(str(key)) + 2)
        case CommentedSeq():
            for index, value in enumerate(node):
                node[index] = _part(value, models, indent, 2)


def _part(value: Any, models: Models, indent: int, label: int) -> Any:
    """Return a value as it is written after its key or dash.

    Args:
        value: The value.
        models: What it may be.
        indent: Columns before its key.
        label: Columns of its key or dash.
    """
    if isinstance(value, CommentedMap | CommentedSeq):
        if fits := _fits(value, indent + label):
            value.fa.set_flow_style()
        else:
            value.fa.set_block_style()
        if isinstance(value, CommentedMap) and _is_text(value):
            if not fits:
                for lang in _LANGUAGES:
                    value[lang] = _prose(value[lang], indent + 2)
        else:
            _arrange(value, models, indent + 2)
        if fits:
            _quote(value)
        return value
    return _scalar(value)


def _quote_keys(node: Any) -> None:
    """Quote keys that were quoted, and that plain are something else to YAML 1.1, as ``off`` is."""
    if isinstance(node, CommentedMap):
        for at, key in enumerate(list(node)):
            _quote_keys(node[key])
            if isinstance(key, str) and _resolved(key) != _STRING:
                comment = node.ca.items.pop(key, None)
                node.insert(at, SingleQuotedScalarString(key), node.pop(key))
                if comment:
                    node.ca.items[key] = comment
    elif isinstance(node, CommentedSeq):
        for value in node:
            _quote_keys(value)


def _quote(node: CommentedMap | CommentedSeq) -> None:
    """Quote what stands on one line with others, wherever a reader of YAML might stop early."""
    for key, value in list(node.items() if isinstance(node, CommentedMap) else enumerate(node)):
        if type(value) is str and _AMBIGUOUS.search(value):
            node[key] = SingleQuotedScalarString(value)


def _is_text(node: dict[Any, Any]) -> bool:
    return node.keys() == set(_LANGUAGES) and all(isinstance(value, str) for value in node.values())


def _prose(text: str, indent: int) -> Any:
    """Return one language of a text: a sentence a line where it is longer than one."""
    joined = join_lines(text)
    broken = break_lines(joined, WIDTH - indent - 2)
    if "\n" in broken or columns(broken) > WIDTH - indent - 4:
        return LiteralScalarString(broken)
    return _scalar(joined)


def _scalar(value: Any) -> Any:
    """Return a value as it is written: plain, else quoted so that least has to be escaped."""
    if isinstance(value, LiteralScalarString) or not isinstance(value, str):
        return value
    if "\n" in value:
        return LiteralScalarString(value)
    if "\\" in value or '"' in value:
        return str(value)  # single quotes, if any, leave both as they are
    if "'" in value and _dump({"key": str(value)}).startswith("key: '"):
        return DoubleQuotedScalarString(value)
    return str(value) if _resolved(value) == _STRING else DoubleQuotedScalarString(value)


def _resolved(text: str) -> Any:
    """Return what a reader of YAML 1.1 takes a plain scalar for, as a tag."""
    return _RESOLVER.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]


def _fits(node: CommentedMap | CommentedSeq, column: int) -> bool:
    """Tell whether a list or mapping of plain values stands on one line."""
    values = list(node.values()) if isinstance(node, CommentedMap) else list(node)
    if not values or any(isinstance(value, dict | list) or "\n" in str(value) for value in values):
        return not values
    if _comments_of(node):
        return False
    taken = sum(columns(str(value)) + 4 for value in values)
    taken += sum(len(str(key)) + 2 for key in node) if isinstance(node, CommentedMap) else 0
    return column + taken <= _ONE_LINE


def _sort(node: CommentedMap, order: list[str]) -> None:
    keys = list(node)
    wanted = sorted(keys, key=lambda key: order.index(key) if key in order else len(order))
    if keys == wanted:
        return
    for key in wanted:
        node.move_to_end(key)


def _comments_of(node: CommentedMap | CommentedSeq) -> bool:
    return bool(node.ca.items or node.ca.comment)


def _comments(node: Any) -> list[str]:
    """Return the comments of a tree, sorted: a part that moves takes its comment along."""
    found: list[str] = []
    if isinstance(node, CommentedMap | CommentedSeq):
        held = [node.ca.comment, *node.ca.items.values(), node.ca.end]
        found = [line for token in _tokens(held) for line in _lines_of(token)]
        for value in node.values() if isinstance(node, CommentedMap) else node:
            found.extend(_comments(value))
    return sorted(found)


def _tokens(held: Any) -> Iterator[CommentToken]:
    if isinstance(held, CommentToken):
        yield held
    elif isinstance(held, list):
        for part in held:
            yield from _tokens(part)


def _lines_of(token: CommentToken) -> list[str]:
    return [line.strip() for line in token.value.splitlines() if line.strip()]


def _plain(text: str) -> Any:
    """Return what the book's reader reads, lines of texts joined."""
    return _joined(yaml.load(text, LOADER))  # noqa: S506  (a safe loader)


def _joined(value: Any) -> Any:
    if isinstance(value, dict):
        text = _is_text(value)
        return {key: join_lines(one) if text else _joined(one) for key, one in value.items()}
    return [_joined(one) for one in value] if isinstance(value, list) else value
