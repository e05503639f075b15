"""Read YAML the way the tools do (YAML 1.1), with places and limits."""

from __future__ import annotations

import re
from typing import Any

import yaml

from fixbook.config.errors import ConfigError, shortened
from fixbook.config.formats import MAX_DEPTH, MAX_VALUES
from fixbook.config.reasons import yaml_in_chinese
from fixbook.config.setting import UNKNOWN, Place, Section, Setting
from fixbook.config.special_tokens import is_special

Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TEMPLATE = re.compile(r"\$\{|\$[A-Z_]{2,}|\{\{|^<[^>]+>$")  # filled in by something else
_BRACKETS = re.compile(r"[\[\]{}]")
_INDENTS = re.compile(r"(?m)^[ ?:-]*")  # each sign of it may begin a level
_MOST_LEVELS = 2000
_MERGE = "tag:yaml.org,2002:merge"
_PLAIN = "tag:yaml.org,2002:"
# What PyYAML raises for a scalar that is not what its tag, or its look, says.
REFUSED = (yaml.YAMLError, ValueError, KeyError, IndexError, AttributeError, OverflowError)


def read(text: str, name: str) -> tuple[Section, list[Setting]]:
    """Read one document.

    Args:
        text: The file's text.
        name: The file's name, for messages.

    Returns:
        Its settings, and the keys that are written twice.

    Raises:
        ConfigError: It is not one YAML mapping, is too deep, or grows without bound.
    """
    if not levels_are_few(text):
        raise ConfigError(name, "too-deep")
    try:
        node = yaml.compose(text, Loader=Loader)
    except yaml.YAMLError as error:
        raise _syntax(error, name, text) from None
    except RecursionError:
        raise ConfigError(name, "too-deep") from None
    if not isinstance(node, yaml.MappingNode):
        raise ConfigError(name, "no-settings")
    reader = _Reader(name)
    reader.mapping(node, (), inherited=False)
    return reader.section, reader.repeated


def levels_are_few(text: str) -> bool:
    """Tell whether a text has no more levels than can be read: libyaml ends the process on many."""
    flow = most = 0
    for sign in _BRACKETS.findall(text):
        flow = flow + 1 if sign in "[{" else max(0, flow - 1)
        most = max(most, flow)
    return most + max(map(len, _INDENTS.findall(text)), default=0) <= _MOST_LEVELS


class _Reader:
    def __init__(self, name: str) -> None:
        self.section = Section()
        self.repeated: list[Setting] = []
        self._name = name
        self._scalars = yaml.SafeLoader("")
        self._seen: set[int] = set()
        self._left = MAX_VALUES

    def mapping(
        self, node: yaml.MappingNode, path: tuple[str, ...], *, inherited: bool
    ) -> dict[str, Any]:
        value: dict[str, Any] = {}
        merged = [pair for pair in node.value if pair[0].tag == _MERGE]
        for _, source in merged:
            for part in source.value if isinstance(source, yaml.SequenceNode) else [source]:
                if isinstance(part, yaml.MappingNode):
                    value |= self.mapping(part, path, inherited=True)
        own = set()
        for key_node, child in node.value:
            if key_node.tag == _MERGE:
                continue
            key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else "?"
            here = (*path, key)
            value[key] = self._value(child, here, inherited=inherited)
            setting = Setting(here, value[key], _place(key_node), _place(child), inherited)
            self.section.add(setting)
            if key in own:
                self.repeated.append(setting)
            own.add(key)
        return value

    def _value(self, node: yaml.Node, path: tuple[str, ...], *, inherited: bool) -> Any:
        self._left -= 1
        if self._left < 0 or len(path) > MAX_DEPTH:
            raise ConfigError(self._name, "endless", most=MAX_VALUES)
        inherited = inherited or id(node) in self._seen
        if isinstance(node, yaml.MappingNode):
            self._seen.add(id(node))
            return self.mapping(node, path, inherited=inherited)
        if isinstance(node, yaml.SequenceNode):
            self._seen.add(id(node))
            return [
                self._value(item, (*path, str(index)), inherited=inherited)
                for index, item in enumerate(node.value)
            ]
        return self._scalar(node)

    def _scalar(self, node: yaml.Node) -> Any:
        if not node.tag.startswith(_PLAIN):
            line, column = node.start_mark.line + 1, node.start_mark.column + 1
            raise ConfigError(f"{self._name}:{line}:{column}", "tag", tag=node.tag)
        if _TEMPLATE.search(node.value) and not is_special(node.value):
            return UNKNOWN
        try:
            value = self._scalars.construct_object(node)
            str(value)  # a number of thousands of digits cannot be written down
        except REFUSED as error:
            where = f"{self._name}:{node.start_mark.line + 1}:{node.start_mark.column + 1}"
            kind = node.tag.removeprefix(_PLAIN)
            raise ConfigError(where, "bad-value", value=shortened(node.value), tag=kind) from error
        return value


def _place(node: yaml.Node) -> Place:
    start, end = node.start_mark, node.end_mark
    return Place(start.line + 1, start.column + 1, start.index, end.index)


def _syntax(error: yaml.YAMLError, name: str, text: str) -> ConfigError:
    mark = getattr(error, "problem_mark", None)
    reason = str(getattr(error, "problem", None) or error).splitlines()[0]
    where = f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else name
    if "expected a single document" in str(error) or "another document" in reason:
        return ConfigError(where, "two-documents")
    lines = text.split("\n")
    if mark and mark.line < len(lines) and "\t" in lines[mark.line]:
        return ConfigError(where, "tab")
    return ConfigError(where, "bad-yaml", reason=reason, zh=yaml_in_chinese(reason))
