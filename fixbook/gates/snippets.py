"""Every configuration shown in an article is valid for the tool it is for, by two judgements.

The tool's own check and ``fixbook check`` must both have nothing against it. Runs the real tools,
so it is not among the gates of ``fixbook lint``: the suite calls it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.config.check import check
from fixbook.config.errors import ConfigError
from fixbook.config.read import parse
from fixbook.gates.texts import texts_of
from fixbook.gates.tool_checks import TOOLS, objections_to, version_of
from fixbook.problem import Problem
from fixbook.recipe.record import load_evidence
from fixbook.text import _, language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book, BookEntry, ConfigChange, Key

_BLOCK = re.compile(r"(?ms)^```(?P<language>yaml|json)\b[^\n]*\n(?P<code>.*?)^```\s*$")
_SUFFIXES = {"yaml": ".yaml", "json": ".json"}


@dataclass(frozen=True, slots=True)
class _Shown:
    """A whole file that an article shows."""

    path: Path
    tool: str
    version: str
    text: str


def valid_snippets(book: Book) -> Iterator[Problem]:
    """Check whole files (``fixes[].config[].after``) and the YAML and JSON blocks of entries."""
    shown: list[_Shown] = []
    for item in book.entries.values():
        yield from _collect(item, shown)
    yield from _files(shown)
    for item in book.entries.values():
        yield from _blocks(item)


def known_bad(text: str, path: Path, tool: str, version: str) -> list[str]:
    """Return the errors and warnings of ``fixbook check`` on a text."""
    try:
        document = parse(text, path, tool, version)
    except ConfigError as error:
        return [f"fixbook check: {error.what[language()]}"]
    if tool not in {section.tool for section in document.sections}:
        what = _("nothing in it is recognised as {tool}'s").format(tool=tool)
        return [f"fixbook check: {what}"]
    return [
        _("line {line}: {rule}: {message}").format(
            line=finding.setting.key_place.line,
            rule=finding.rule,
            message=finding.message[language()],
        )
        for finding in check([document]).findings
        if finding.severity != "note"
    ]


def _collect(item: BookEntry, shown: list[_Shown]) -> Iterator[Problem]:
    for fix_index, fix in enumerate(item.entry.fixes):
        for index, change in enumerate(fix.config):
            key = ("fixes", fix_index, "config", index)
            problems = list(_described(item, change, key))
            yield from problems
            if not problems:
                path = item.folder / change.after
                shown.append(_Shown(path, change.tool, change.version, _text(item, change.after)))


def _described(item: BookEntry, change: ConfigChange, key: Key) -> Iterator[Problem]:
    where = item.source.where(key)
    if change.tool not in TOOLS:
        what = _("no validator for {tool!r}").format(tool=change.tool)
        yield Problem(where, what, _("use one of: {names}").format(names=", ".join(TOOLS)))
        return
    known = version_of(change.tool)
    if change.version != known:
        what = _("names {tool} {version}; {known} is what it was checked with")
        what = what.format(tool=change.tool, version=change.version, known=known)
        yield Problem(where, what, _('write version: "{known}"').format(known=known))
    if _text(item, change.before) == _text(item, change.after):
        what = _("before and after are the same file")
        yield Problem(where, what, _("show what the fix changes"))


def _text(item: BookEntry, name: str) -> str:
    return (item.folder / name).read_text("utf-8")


def _files(shown: list[_Shown]) -> Iterator[Problem]:
    for tool in dict.fromkeys(file.tool for file in shown):
        files = [file for file in shown if file.tool == tool]
        replies = objections_to(tool, [file.text for file in files])
        for file, reply in zip(files, replies, strict=True):
            ours = known_bad(file.text, file.path, tool, file.version)
            for objection in [*reply, *ours]:
                what = f"{tool} {file.version}: {objection}"
                yield Problem(str(file.path), what, _("correct the file"))


def _blocks(item: BookEntry) -> Iterator[Problem]:
    tools = [name for name in item.entry.projects if name in TOOLS]
    for key, written_in, code in _snippets(item):
        refused: list[tuple[str, list[str]]] = []
        for tool in tools:
            reply = objections_to(tool, [code], fragment=True)[0]
            if not reply:
                path = Path(f"snippet{_SUFFIXES[written_in]}")
                reply = known_bad(code, path, tool, version_of(tool) or "")
            refused += [(tool, reply)] if reply else []
        if refused and len(refused) == len(tools):
            what = f"{'.'.join(map(str, key))}: {refused[0][0]}: {refused[0][1][0]}"
            yield Problem(item.source.where(key), what, _("correct the snippet"))


def _snippets(item: BookEntry) -> Iterator[tuple[Key, str, str]]:
    """Yield place, language and text of every YAML or JSON block."""
    for key, text in texts_of(item.entry):
        for side in (text.zh, text.en):
            for block in _BLOCK.finditer(side):
                yield key, block["language"], block["code"]
    ran = {
        (name, digest)
        for evidence in load_evidence(item).values()
        for step in evidence.steps.values()
        for name, digest in step.snippets.items()
    }
    for name, snippet in item.entry.snippets.items():  # one that a step uses is judged by that
        if snippet.language in _SUFFIXES and (name, snippet.digest) not in ran:
            yield ("snippets", name, "code"), snippet.language, snippet.code
