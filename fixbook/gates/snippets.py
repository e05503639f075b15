"""Every configuration shown in an article is valid for the tool it is for.

Runs the real tools, so it is not among the gates of ``fixbook lint``: the suite calls it.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import yaml

from fixbook.config.real_tools import TOOLS, objections
from fixbook.environment import installed_version
from fixbook.gates.texts import texts_of
from fixbook.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book, BookEntry

_BLOCK = re.compile(r"(?ms)^```(?P<language>yaml|json)\b[^\n]*\n(?P<code>.*?)^```\s*$")


def valid_snippets(book: Book) -> Iterator[Problem]:
    """Check whole files (``fixes[].config[].after``) and the YAML and JSON blocks of texts."""
    for item in book.entries.values():
        yield from _files(item)
        yield from _blocks(item)


def _files(item: BookEntry) -> Iterator[Problem]:
    for fix_index, fix in enumerate(item.entry.fixes):
        for change_index, change in enumerate(fix.config):
            where = item.source.where(("fixes", fix_index, "config", change_index))
            if change.tool not in TOOLS:
                yield Problem(
                    where, f"no validator for {change.tool!r}", f"use one of {', '.join(TOOLS)}"
                )
                continue
            installed = installed_version(change.tool)
            if change.version != installed:
                what = (
                    f"names {change.tool} {change.version}; {installed} is what it was checked with"
                )
                yield Problem(where, what, f'write version: "{installed}"')
            path = item.folder / change.after
            for objection in _check(change.tool, path.read_text("utf-8"), fragment=False):
                yield Problem(
                    str(path), f"{change.tool} {installed}: {objection}", "correct the file"
                )


def _blocks(item: BookEntry) -> Iterator[Problem]:
    tools = [name for name in item.entry.projects if name in TOOLS]
    for key, text in texts_of(item.entry):
        for side in (text.zh, text.en):
            for block in _BLOCK.finditer(side):
                refused = [_check(tool, block["code"], fragment=True) for tool in tools]
                if refused and all(refused):
                    what = f"{'.'.join(map(str, key))}: {tools[0]}: {refused[0][0]}"
                    yield Problem(item.source.where(key), what, "correct the snippet")


def _check(tool: str, text: str, *, fragment: bool) -> list[str]:
    try:
        config: Any = json.loads(text) if text.lstrip().startswith("{") else yaml.safe_load(text)
    except (yaml.YAMLError, json.JSONDecodeError) as error:
        return [f"cannot be parsed: {error}"]
    if not isinstance(config, dict):
        return ["is not a mapping"]
    return objections(tool, config, fragment=fragment)
