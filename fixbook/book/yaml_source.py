"""Read YAML as data: bounded, without aliases, with the line of every value.

Entries come from contributors, so a file is checked before it is built: its size, its nesting,
repeated keys, tags, and anchors (which a small file can use to grow without bound).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 512 * 1024
MAX_DEPTH = 24

LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Key = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class YamlSource:
    """The value of a YAML file and where each part of it stands.

    Attributes:
        path: The file.
        value: Plain Python data.
        lines: 1-based line of every key path, for example ``("fixes", 0, "title")``.
        cut: What follows an unquoted text on its line and is lost, as `` #`` begins a comment.
    """

    path: Path
    value: Any
    lines: dict[Key, int] = field(default_factory=dict)
    cut: dict[Key, str] = field(default_factory=dict)

    def where(self, key: Key = ()) -> str:
        """Return ``path:line`` of a key path, or of its nearest parent that has a line."""
        while key and key not in self.lines:
            key = key[:-1]
        return f"{self.path}:{self.lines.get(key, 1)}"


def read_yaml(path: Path) -> YamlSource:
    """Read one YAML file.

    Args:
        path: The file to read.

    Returns:
        Its value and the lines of its parts.

    Raises:
        BookError: The file cannot be read, is too large, is not one YAML document, repeats a
            key, nests too deeply, or uses an anchor or a tag.
    """
    text = bounded_text(path)
    try:
        reject_tricks(path, text)
        node = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError as error:
        raise BookError([_syntax_problem(path, error)]) from None
    except RecursionError:
        raise BookError([Problem(str(path), _("is nested too deeply"), _("flatten it"))]) from None
    source = YamlSource(path, None if node is None else _Builder(path).build(node))
    if node is not None:
        _collect_lines(node, (), source.lines)
        _collect_cut(node, (), source.cut, text.splitlines())
    return source


def bounded_text(path: Path) -> str:
    """Return the text of a YAML file.

    Raises:
        BookError: It cannot be read, is too large, or is not UTF-8.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            what = _("is {size:,} bytes; at most {most:,} are read")
            mend = _("keep logs and data in files of their own")
            raise BookError([Problem(str(path), what.format(size=size, most=MAX_BYTES), mend)])
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        what = _("cannot be read: {reason}").format(reason=error.strerror)
        raise BookError([Problem(str(path), what)]) from None
    except UnicodeDecodeError as error:
        what = _("is not UTF-8 (byte {start})").format(start=error.start)
        raise BookError([Problem(str(path), what, _("save the file as UTF-8"))]) from None


def reject_tricks(path: Path, text: str) -> None:
    """Refuse what is more than plain data, before anything is built of it.

    Raises:
        BookError: The text nests too deeply, or uses an anchor or a tag.
        yaml.YAMLError: It is not YAML.
    """
    depth = 0
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        where = f"{path}:{event.start_mark.line + 1}"  # type: ignore[union-attr]
        if depth > MAX_DEPTH:
            what = _("nests deeper than {most} levels").format(most=MAX_DEPTH)
            raise BookError([Problem(where, what, _("flatten it"))])
        anchor = getattr(event, "anchor", None)
        if anchor:
            what = _("uses the anchor or alias {name!r}").format(name=anchor)
            raise BookError([Problem(where, what, _("write the value out where it is needed"))])
        tag = getattr(event, "tag", None)
        if tag:
            what = _("uses the tag {tag!r}; a value is not plain data then").format(tag=tag)
            mend = _("use text, numbers or booleans without a tag")
            raise BookError([Problem(where, what, mend)])


def _syntax_problem(path: Path, error: yaml.YAMLError) -> Problem:
    mark = getattr(error, "problem_mark", None)
    where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
    reason = getattr(error, "problem", None) or str(error)
    mend = _(
        "check indentation and quoting; a value with ': ' or a leading '%' or '`' needs quotes"
    )
    return Problem(where, _("is not valid YAML: {reason}").format(reason=reason), mend)


class _Builder:
    """Turns nodes into data with the safe constructor, refusing repeated keys."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._scalars = yaml.SafeLoader("")

    def build(self, node: yaml.Node) -> Any:
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item) for item in node.value]
        if node.tag == "tag:yaml.org,2002:timestamp":
            return node.value  # dates stay text; the model parses them
        try:
            return self._scalars.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            what = _("has a value that is not plain data: {reason}")
            what = what.format(reason=str(error).splitlines()[0])
            mend = _("use text, numbers or booleans")
            raise BookError([self._problem(node, what, mend)]) from None

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value
            if not isinstance(key, str):
                what = _("has a key that is not text")
                raise BookError([self._problem(key_node, what, _("quote it"))])
            if key in result:
                what = _("gives {key!r} twice").format(key=key)
                raise BookError([self._problem(key_node, what, _("keep one of the two"))])
            result[key] = self.build(value_node)
        return result

    def _problem(self, node: yaml.Node, what: str, mend: str) -> Problem:
        return Problem(f"{self._path}:{node.start_mark.line + 1}", what, mend)


def _collect_lines(node: yaml.Node, key: Key, lines: dict[Key, int]) -> None:
    lines.setdefault(key, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            child = (*key, key_node.value)
            lines[child] = key_node.start_mark.line + 1
            _collect_lines(value_node, child, lines)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _collect_lines(item, (*key, index), lines)


def _collect_cut(node: yaml.Node, key: Key, cut: dict[Key, str], lines: list[str]) -> None:
    if isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            _collect_cut(value_node, (*key, key_node.value), cut, lines)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _collect_cut(item, (*key, index), cut, lines)
    elif isinstance(node, yaml.ScalarNode) and not node.style and node.end_mark.line < len(lines):
        rest = lines[node.end_mark.line][node.end_mark.column :].lstrip()
        if rest.startswith("#"):
            cut[key] = rest
