"""Where Chinese is written: entries, symptoms, rules, words of the site, pages, messages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import yaml

from fixbook.book import LOADER, bounded_text
from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

HAN = re.compile(r"[\u4e00-\u9fff]")
_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_AS_TYPED = "aliases"  # what readers type, not what the book says


@dataclass(frozen=True, slots=True)
class Passage:
    """A Chinese text and where it begins.

    Attributes:
        path: Its file.
        line: 1-based line of the text's first line.
        text: The text.
    """

    path: Path
    line: int
    text: str


def passages(root: Path) -> Iterator[Passage]:
    """Yield every Chinese text below the root of a book.

    Raises:
        BookError: A YAML file cannot be read.
    """
    for pattern, read in _FILES.items():
        for path in sorted(root.glob(pattern)):
            yield from (passage for passage in read(path) if HAN.search(passage.text))


def _yaml(path: Path) -> Iterator[Passage]:
    """Texts under a ``zh`` key, at the line where each begins."""
    try:
        node = yaml.compose(bounded_text(path), Loader=LOADER)
    except yaml.YAMLError as error:
        what = _("is not valid YAML: {reason}").format(reason=str(error).splitlines()[0])
        raise BookError([Problem(str(path), what, _("check indentation and quoting"))]) from None
    for scalar in _zh(node, set()):
        block = scalar.style in {"|", ">"}  # begins on the line after its mark
        yield Passage(path, scalar.start_mark.line + 1 + block, scalar.value)


def _zh(node: yaml.Node | None, seen: set[int]) -> Iterator[yaml.ScalarNode]:
    if id(node) in seen:  # an alias
        return
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if name.value == "zh" and isinstance(value, yaml.ScalarNode):
                yield value
            elif name.value != _AS_TYPED:
                yield from _zh(value, seen)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _zh(item, seen)


def _page(path: Path) -> Iterator[Passage]:
    yield Passage(path, 1, path.read_text("utf-8"))


def _literals(path: Path) -> Iterator[Passage]:
    """Double-quoted texts of a program or a message catalogue, line by line."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        for match in _LITERAL.finditer(line):
            yield Passage(path, number, match[1])


_FILES: dict[str, Callable[[Path], Iterator[Passage]]] = {
    "recipes/*/entry.yaml": _yaml,
    "symptoms/*.yaml": _yaml,
    "rules/*/rule.yaml": _yaml,
    "generator/*/*.yaml": _yaml,
    "docs/zh/**/*.md": _page,
    "README.zh-CN.md": _page,
    "overrides/**/*.html": _page,
    "overrides/**/*.js": _literals,
    "overrides/**/*.yaml": _yaml,
    "fixbook/*/words.json": _yaml,
    "fixbook/*/*.py": _literals,
    "fixbook/locale/zh/LC_MESSAGES/*.po": _literals,
}
